package dev.millrace.connectors.generator;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.audit.IndexRanges;
import dev.millrace.core.audit.Ledger;
import dev.millrace.core.audit.LedgerFile;
import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.reading.Position;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.ReadingEncoder;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Sends readings when they are due, open loop: a late generator or a slow broker never moves the schedule, it only makes
 * lateness, which is shown. {@link #run} belongs to one thread; everything else is thread-safe.
 */
final class Generator {
    private static final Duration FLUSH_BOUND = Duration.ofSeconds(10);
    private static final Duration TOPIC_BOUND = Duration.ofSeconds(30);
    private static final long DISK_CHECK_NANOS = 1_000_000_000;
    private static final long BACK_OFF_NANOS = 200_000;
    private static final long MIN_WAIT_NANOS = 250_000;
    private static final long MAX_WAIT_MICROS = 5_000;
    /** Readings between two looks at the clock and at what people want. */
    private static final int BURST = 256;

    private final GeneratorOptions options;
    private final Broker broker;
    private final Clock clock;
    private final DiskGuard disk;
    private final Burn burn;
    private final LongConsumer latencyMicros;
    private final Schedule schedule = new Schedule();
    private final Acknowledgements acknowledgements = new Acknowledgements();
    private final ConcurrentLinkedQueue<Runnable> orders = new ConcurrentLinkedQueue<>();
    private final Reading reading = new Reading();
    private final ReadingEncoder encoder = new ReadingEncoder();

    private volatile GeneratorState state = GeneratorState.STARTING;
    private volatile String message = "connecting to the broker";
    private volatile boolean stopping;
    private volatile RuntimeException failure;
    private volatile long startMillis;
    private volatile long latenessMicros;
    private volatile long target;

    private ReadingGenerator readings;
    private Pace pace;
    private ClockWatch watch;
    private Publisher publisher;
    private Receipts receipts;
    private byte[][] keys;
    private IndexRanges missing = IndexRanges.none();
    private int missingRange;
    private long missingNext;
    private long next;
    private long preparedIndex = -1;
    private byte[] preparedPayload;
    private long nextDiskCheckNanos;
    private boolean diskLow;
    private boolean personPaused;

    /**
     * @param freeDiskBytes free bytes on the disk that counts
     * @param latencyMicros told for every receipt of a paced reading, from its intended send time, on the client's threads; by the
     *     machine's clock, however fast {@code clock} runs
     */
    Generator(
            GeneratorOptions options,
            Broker broker,
            Clock clock,
            LongSupplier freeDiskBytes,
            LongConsumer latencyMicros) {
        this.options = options;
        this.broker = broker;
        this.clock = clock;
        this.disk = new DiskGuard(options.disk(), options.minFreeDiskBytes(), freeDiskBytes);
        this.latencyMicros = latencyMicros;
        this.burn = new Burn(options.burnMicros());
    }

    /** Sends until {@link #stop}; then everything offered has its receipt, or 10 s have passed, and the ledger is written. */
    void run() {
        boolean before = LedgerFile.exists(options.directory());
        try (LedgerFile file = LedgerFile.open(options.directory(), options.settings());
                BrokerClient client = broker.connect(options.brokerOptions())) {
            awaitTopic(client);
            publisher = client.publisher(options.topic(), publisherName());
            try {
                checkPayload();
                if (prepare(client, file, before)) {
                    runWith(file);
                }
            } finally {
                burn.close();
                publisher.close();
            }
        }
    }

    /** The same after a restart, by which a broker knows what it has; of several on one topic each its own, for a name sends once. */
    private String publisherName() {
        var settings = options.settings();
        return settings.hasOthers() ? "generator-" + settings.firstDevice() : "generator";
    }

    private void runWith(LedgerFile file) {
        LedgerWriter writer =
                new LedgerWriter(file, options.settings(), schedule, acknowledgements, personPaused, clock);
        try {
            writer.start(this::fail);
            while (!stopping && failure == null) {
                step(writer);
            }
            if (failure == null) {
                pace.stop(watch.now(next), next);
                boolean settled = publisher.flush(FLUSH_BOUND);
                message = settled ? "stopped" : "stopped; the fate of some readings is settled at the next start";
            }
        } catch (RuntimeException e) {
            fail(e);
        } finally {
            writer.end(failure == null);
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Asks {@link #run} to come to an end. */
    void stop() {
        stopping = true;
    }

    CompletableFuture<Void> pause() {
        return order(() -> personPaused = true);
    }

    CompletableFuture<Void> resume() {
        return order(() -> personPaused = false);
    }

    /** From now on so many readings per second; fails with UserException when there is no rate to change. */
    CompletableFuture<Void> rate(long readingsPerSecond) {
        return order(() -> pace.rate(readingsPerSecond, watch.now(next), next));
    }

    GeneratorState state() {
        return state;
    }

    String message() {
        return message;
    }

    long readingsSent() {
        return acknowledgements.count();
    }

    long readingsOffered() {
        return acknowledgements.offeredTo();
    }

    /** Of the next reading that is due and not sent yet, by the machine's clock; 0 when there is none. */
    long latenessMillis() {
        return latenessMicros / 1000;
    }

    /** Readings per second; -1: as many as the broker takes. */
    long targetRate() {
        return target;
    }

    /** Epoch milliseconds of the first reading; 0 while it is not settled. */
    long startMillis() {
        return startMillis;
    }

    private CompletableFuture<Void> order(Runnable what) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        orders.add(() -> {
            try {
                what.run();
                done.complete(null);
            } catch (UserException e) {
                done.completeExceptionally(e);
            } catch (RuntimeException e) {
                // The schedule in memory is another now than that of the ledger: nothing may be sent by it.
                fail(e);
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private void awaitTopic(BrokerClient client) {
        long deadline = System.nanoTime() + TOPIC_BOUND.toNanos();
        while (client.partitions(options.topic()) == 0) {
            if (System.nanoTime() > deadline || stopping) {
                throw new EnvironmentException("broker '" + options.broker() + "' has no topic '" + options.topic()
                        + "'; it must be made before the generator starts");
            }
            LockSupport.parkNanos(100_000_000);
        }
    }

    private void checkPayload() {
        int largest = publisher.largestPayloadBytes();
        if (options.settings().payloadBytes() > largest) {
            throw new UserException("payload-bytes is " + options.settings().payloadBytes() + ", but broker '"
                    + options.broker() + "' takes at most " + largest + " bytes; nothing was sent");
        }
    }

    /** Whether it may begin; not when it was asked to stop before it knew what was sent: the ledger then stays as it is. */
    private boolean prepare(BrokerClient client, LedgerFile file, boolean before) {
        readings = new ReadingGenerator(options.settings(), schedule);
        keys = new byte[options.settings().devices()][];
        Ledger ledger = LedgerFile.read(options.directory());
        if (!before || ledger.schedule().isEmpty()) {
            pace = Pace.begin(options, file, schedule, clock.micros());
        } else {
            ledger.schedule().segments().forEach(schedule::append);
            recover(client, ledger);
            if (stopping) {
                return false;
            }
            pace = Pace.goOn(options, file, ledger, schedule, next, clock.micros());
            personPaused = pace.isPaused();
        }
        receipts = new Receipts(
                acknowledgements, clock, pace.isPaced() ? latencyMicros : null, () -> stopping, this::fail);
        startMillis = schedule.startMicros() / 1000;
        target = pace.target();
        watch = new ClockWatch(clock, pace);
        nextDiskCheckNanos = clock.steadyNanos();
        message = "";
        state = GeneratorState.RUNNING;
        return true;
    }

    private void recover(BrokerClient client, Ledger ledger) {
        state = GeneratorState.RECOVERING;
        acknowledgements.restore(ledger.acknowledged(), ledger.offeredTo(), ledger.readBackFrom());
        // That it runs is on disk before anything is sent: any other state counts all that was.
        boolean settled =
                ledger.state() != Ledger.State.RUNNING && ledger.open().size() == 0;
        if (!settled) {
            message = "reading the topic back to learn what was sent";
            Map<Integer, Position> from = ledger.readBackFrom();
            long found = new ReadBack(
                            client,
                            options.topic(),
                            readings,
                            schedule,
                            acknowledgements,
                            options.settings().hasOthers(),
                            () -> stopping)
                    .run(from);
            missing = acknowledgements.open();
            System.out.println(
                    "recovered: " + found + " readings found in the topic, " + missing.count() + " to be sent again");
        }
        next = acknowledgements.offeredTo();
        missingNext = missing.size() > 0 ? missing.from(0) : 0;
    }

    private void step(LedgerWriter writer) {
        long now = watch.now(next);
        for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
            order.run();
        }
        long nanos = clock.steadyNanos();
        if (nanos - nextDiskCheckNanos >= 0) {
            diskLow = disk.isLow();
            nextDiskCheckNanos = nanos + DISK_CHECK_NANOS;
        }
        boolean pause = personPaused || diskLow;
        writer.paused(personPaused);
        boolean through = next >= limit();
        // Who has sent all is paused where that ends: the next start may have more to send, but not for the idle time.
        pace.pause(pause || through, through ? 0 : now, next);
        pace.advanceTo(now, next);
        target = pace.target();
        if (pause) {
            latenessMicros = 0;
            show(personPaused ? GeneratorState.PAUSED : GeneratorState.PAUSED_DISK, diskLow ? disk.message() : "");
            LockSupport.parkNanos(MAX_WAIT_MICROS * 1000);
            return;
        }
        if (missingRange < missing.size()) {
            sendMissing();
        } else {
            sendDue(now);
        }
    }

    private void sendMissing() {
        for (int i = 0; i < BURST && missingRange < missing.size(); i++) {
            if (!offer(missingNext)) {
                LockSupport.parkNanos(BACK_OFF_NANOS);
                return;
            }
            missingNext++;
            if (missingNext == missing.to(missingRange) && ++missingRange < missing.size()) {
                missingNext = missing.from(missingRange);
            }
        }
    }

    private void sendDue(long now) {
        long limit = limit();
        long due = Math.min(limit, pace.isPaced() ? schedule.dueBy(now) : Long.MAX_VALUE);
        if (next >= due) {
            latenessMicros = 0;
            long sent = acknowledgements.count();
            // A start with other settings may have a limit that is lower than what was sent before it.
            boolean complete = next >= limit && sent >= limit;
            String beyond = sent > limit
                    ? sent + " readings were sent before, and the limit, counted from the first one, is now " + limit
                    : "";
            show(complete ? GeneratorState.COMPLETE : GeneratorState.RUNNING, complete ? beyond : watch.waiting());
            long waitMicros = next >= limit ? Long.MAX_VALUE : clock.realMicros(schedule.timeMicros(next) - now);
            LockSupport.parkNanos(Math.max(MIN_WAIT_NANOS, Math.min(MAX_WAIT_MICROS, waitMicros) * 1000));
            return;
        }
        show(GeneratorState.RUNNING, watch.waiting());
        latenessMicros = pace.isPaced() ? clock.realMicros(now - schedule.timeMicros(next)) : 0;
        for (int i = 0; i < BURST && next < due; i++) {
            if (!offer(next)) {
                LockSupport.parkNanos(BACK_OFF_NANOS);
                return;
            }
            next++;
        }
    }

    private long limit() {
        return options.readings() == 0 ? Long.MAX_VALUE : options.readings();
    }

    private boolean offer(long index) {
        if (!acknowledgements.hasRoom(index)) {
            return false;
        }
        // After a refusal people may have changed when it is due.
        if (preparedIndex != index || reading.intendedSendTime != schedule.timeMicros(index)) {
            readings.reading(index, reading);
            preparedPayload = encoder.encode(reading);
            preparedIndex = index;
            burn.oneReading();
        }
        int device = readings.device(index);
        byte[] key = keys[device];
        if (key == null) {
            key = reading.deviceId.getBytes(StandardCharsets.UTF_8);
            keys[device] = key;
        }
        acknowledgements.offering(index);
        boolean taken =
                publisher.offer(key, preparedPayload, reading.eventTime, receipts.of(index, reading.intendedSendTime));
        if (!taken) {
            acknowledgements.notOffered(index);
        }
        return taken;
    }

    private void show(GeneratorState now, String why) {
        if (state != now) {
            System.out.println(now.wireName() + (why.isEmpty() ? "" : ": " + why));
        }
        if (state != now || !message.equals(why)) {
            message = why;
            state = now;
        }
    }

    /** {@link #run} ends as soon as it can, with the first of these; what it sent by then is in the ledger. */
    void fail(RuntimeException e) {
        if (failure == null) {
            failure = e;
        }
    }
}
