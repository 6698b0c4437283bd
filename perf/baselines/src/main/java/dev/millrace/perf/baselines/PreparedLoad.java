package dev.millrace.perf.baselines;

import dev.millrace.connectors.api.baseline.TextPayloads;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Brokers;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.Options;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Offers payloads made beforehand, as fast as they are taken or at a rate: a publisher as a load tool has its client, with the very
 * payloads that the tool picks from, so that a codec has the same to do; their keys are devices'; no books. On one thread.
 */
final class PreparedLoad {
    /** As the generator waits for room. */
    private static final long BACK_OFF_NANOS = 200_000;
    /** As a load tool waits for what is due next: shorter waits are more of them, and each costs. */
    private static final long PACE_NANOS = 2_000_000;

    /** Readings that have one event time: the generator's comes out of its schedule, and a tool has none. */
    private static final int CLOCK_EVERY = 64;

    private static final double NANOS = 1e9;
    private static final String AS_FAST_AS_TAKEN = "max";

    private static final Duration FLUSH_BOUND = Duration.ofMinutes(1);
    private static final long SEED = 1;
    private static final int DEVICES = 1_000;

    private final byte[][] keys;
    private final byte[][] payloads;
    private final SplittableRandom random = new SplittableRandom(SEED);

    private PreparedLoad(int payloadBytes) {
        List<String> texts = TextPayloads.of(payloadBytes);
        GeneratorSettings settings = new GeneratorSettings(SEED, DEVICES, 0, payloadBytes, 1, 0, 0, 0);
        // One array for each device, as the generator has: copies of it would only push payloads out of the caches.
        byte[][] ids = new byte[DEVICES][];
        for (int device = 0; device < DEVICES; device++) {
            ids[device] = settings.deviceId(device).getBytes(StandardCharsets.UTF_8);
        }
        int count = texts.size();
        keys = new byte[count][];
        payloads = new byte[count][];
        for (int i = 0; i < count; i++) {
            keys[i] = ids[random.nextInt(DEVICES)];
            payloads[i] = texts.get(i).getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** Ends the process, exit code 1, when it fails. */
    static void run(Path settings) {
        try {
            run(Options.read(settings));
        } catch (RuntimeException e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void run(Options options) {
        PreparedLoad load = new PreparedLoad(Integer.parseInt(required(options, "payload-bytes")));
        try (BrokerClient client = Brokers.named(required(options, "broker")).connect(options.under("broker."))) {
            Publisher publisher = client.publisher(required(options, "topic"), "generator");
            try {
                load.send(
                        publisher, Long.parseLong(required(options, "readings")), perSecond(required(options, "rate")));
                // Who counts ends the process when all are stored, and gives up by a bound of its own.
                publisher.flush(FLUSH_BOUND);
            } finally {
                publisher.close();
            }
        }
    }

    private static String required(Options options, String key) {
        return options.get(key).orElseThrow(() -> new IllegalArgumentException("the settings lack " + key));
    }

    private static double perSecond(String rate) {
        return rate.equals(AS_FAST_AS_TAKEN) ? Double.POSITIVE_INFINITY : Long.parseLong(rate);
    }

    private void send(Publisher publisher, long readings, double perSecond) {
        Publisher.Receipt receipt = new Failing();
        long begun = System.nanoTime();
        long due = 0;
        long clockMillis = 0;
        for (long sent = 0; sent < readings; sent++) {
            while (sent >= due) {
                due = (long) ((System.nanoTime() - begun) / NANOS * perSecond);
                if (sent >= due) {
                    LockSupport.parkNanos(PACE_NANOS);
                }
            }
            if (sent % CLOCK_EVERY == 0) {
                clockMillis = System.currentTimeMillis();
            }
            int i = random.nextInt(payloads.length);
            while (!publisher.offer(keys[i], payloads[i], clockMillis, receipt)) {
                LockSupport.parkNanos(BACK_OFF_NANOS);
            }
        }
    }

    /** Whoever counts is around the publisher. */
    private static final class Failing implements Publisher.Receipt {
        @Override
        public void stored(int partition, Position position) {
            // Counted by the meter.
        }

        @Override
        public void refused(String sentence) {
            failed("the broker refuses a payload: " + sentence);
        }

        @Override
        public void unknown(String sentence) {
            failed("the fate of a payload is unknown: " + sentence);
        }

        private static void failed(String sentence) {
            System.err.println(sentence);
            Runtime.getRuntime().halt(1);
        }
    }
}
