package dev.millrace.core.audit;

import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.settings.WindowSettings;
import dev.millrace.core.window.DeadLetter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One comparison of latest times with a ledger. First every dead letter, then every row in order of device, then {@link
 * #finish()}. A row must say what the ledger says of the readings before its {@code asOf}, or before {@code completeTo} where that
 * is later. Rows of devices that other generators on the topic have are passed over. Devices are taken some at a time, and for each of
 * these the ledger is walked once, so memory is bounded. A walk may take minutes, and a store does not wait so long for who reads its
 * answer: until it has given all, rows of other than the first devices wait in a file. Not thread-safe, used once.
 */
public final class LatestAudit {
    private static final int TYPES = ReadingGenerator.EVENT_TYPES;
    /** For each there are seven numbers: 112 MiB. */
    private static final int PAIRS_AT_ONCE = 2 << 20;

    private static final long NO_ROW = Long.MIN_VALUE;

    private final Supplier<Ledger> ledgers;
    private final WindowSettings window;
    private final long completeTo;
    private final long wholeFrom;
    private final long lettersFrom;
    private final int devicesAtOnce;
    private final WaitingRows waiting;
    private final AuditResult.Builder result = new AuditResult.Builder("latest time");
    private final DeadLetterOrder letters = new DeadLetterOrder(result);
    private final LatePayload payloads = new LatePayload();
    private final Set<Late> late = new HashSet<>();
    private int lastDevice;
    private long unread;
    private @Nullable Books books;

    /** A reading among the dead letters. */
    private record Late(String deviceId, long sequence) {}

    /**
     * @param ledgers asked once, when the first row has come: it must be as new as the rows, which are those of one moment
     * @param completeTo every row of a slice that ends by then is there (of one that ends later some may be), and every late reading of it is among the dead
     *     letters; epoch milliseconds
     * @param wholeFrom readings before this may or may not be in rows, because the broker had dropped some of them
     * @param lettersFrom dead letters of late readings before this may be gone, because the store keeps them no longer
     * @param folder where rows wait in a file, 28 bytes each
     */
    public LatestAudit(
            Supplier<Ledger> ledgers,
            WindowSettings window,
            long completeTo,
            long wholeFrom,
            long lettersFrom,
            Path folder) {
        this(ledgers, window, completeTo, wholeFrom, lettersFrom, folder, PAIRS_AT_ONCE / TYPES);
    }

    LatestAudit(
            Supplier<Ledger> ledgers,
            WindowSettings window,
            long completeTo,
            long wholeFrom,
            long lettersFrom,
            Path folder,
            int devicesAtOnce) {
        this.ledgers = ledgers;
        this.window = window;
        // Of the slice that this falls into the rows are not there yet.
        boolean isBound = completeTo == Long.MIN_VALUE || completeTo == Long.MAX_VALUE;
        this.completeTo = isBound ? completeTo : Math.floorDiv(completeTo, window.sliceMillis()) * window.sliceMillis();
        this.wholeFrom = wholeFrom;
        this.lettersFrom = lettersFrom;
        this.devicesAtOnce = devicesAtOnce;
        this.waiting = new WaitingRows(folder);
    }

    /** A dead letter; they must come in order of partition, then position, and before the first row. */
    public void deadLetter(DeadLetter letter) {
        if (books != null) {
            throw new IllegalStateException("dead letters come before rows");
        }
        if (!letters.isLate(letter)) {
            return;
        }
        Optional<String> problem = payloads.read(letter.payload());
        Reading reading = payloads.reading();
        if (problem.isEmpty() && !late.add(new Late(reading.deviceId, reading.sequence))) {
            problem = Optional.of("is a reading that is there at another position too");
        }
        if (problem.isEmpty() && payloads.isWithin(window.outOfOrderness())) {
            result.lateWithinBound++;
        }
        problem.ifPresent(words -> {
            unread++;
            letters.contradicts(letter, words);
        });
    }

    /** A row; they must come in order of device. */
    public void latestTime(LatestTime row) {
        Books open = books();
        if (open.ledger.settings().isAnothers(row.deviceId())) {
            return;
        }
        int device = open.ledger.settings().deviceNumber(row.deviceId());
        int type = ReadingGenerator.eventTypeNumber(row.eventType());
        if (device < 0 || type < 0) {
            surplus(row, "is of a device or type that is not in the ledger");
            return;
        }
        if (device < lastDevice) {
            throw new IllegalArgumentException("row " + name(row.deviceId(), row.eventType()) + " is out of order");
        }
        lastDevice = device;
        if (device < open.to) {
            open.put(device, type, row.latest(), row.readings(), row.asOf());
        } else {
            waiting.add(device * TYPES + type, row);
        }
    }

    /** Closes the books. */
    public AuditResult finish() {
        Books open = books();
        waiting.forEach((pair, latest, readings, asOf) -> {
            int device = pair / TYPES;
            while (device >= open.to) {
                open.settle();
            }
            open.put(device, pair % TYPES, latest, readings, asOf);
        });
        while (open.from < open.ledger.settings().devices()) {
            open.settle();
        }
        result.late = unread
                + late.stream()
                        .filter(one -> !open.ledger.settings().isAnothers(one.deviceId()))
                        .count();
        return result.build(
                wholeFrom,
                completeTo,
                open.ledger.settings(),
                window.outOfOrderness().toMillis());
    }

    private Books books() {
        if (books == null) {
            books = new Books(ledgers.get());
        }
        return books;
    }

    private void surplus(LatestTime row, String why) {
        result.surplus++;
        result.readingsDoubled += row.readings();
        result.example(() -> name(row.deviceId(), row.eventType()) + " " + why);
    }

    private static String name(String deviceId, String eventType) {
        return "latest time of " + deviceId + " " + eventType;
    }

    /** What rows and ledger say of the devices {@code [from, to)}: each array has a place for every type of every device. */
    private final class Books {
        private final Ledger ledger;
        private final Schedule schedule;
        private final ReadingGenerator generator;
        private final Reading reading = new Reading();
        // What the rows say.
        private final long[] rowAsOf;
        private final long[] rowLatest;
        private final long[] rowReadings;
        // What must be in the row, and what may be in it beside that.
        private final long[] latest;
        private final long[] readings;
        private final long[] latestAtMost;
        private final long[] readingsAtMost;
        private int from;
        private int to;

        Books(Ledger ledger) {
            this.ledger = ledger;
            this.schedule = ledger.schedule().copy();
            this.generator = new ReadingGenerator(ledger.settings(), schedule);
            this.to = Math.min(devicesAtOnce, ledger.settings().devices());
            int pairs = to * TYPES;
            rowAsOf = new long[pairs];
            rowLatest = new long[pairs];
            rowReadings = new long[pairs];
            Arrays.fill(rowAsOf, NO_ROW);
            latest = new long[pairs];
            readings = new long[pairs];
            latestAtMost = new long[pairs];
            readingsAtMost = new long[pairs];
        }

        void put(int device, int type, long latestTime, long count, long asOf) {
            int pair = (device - from) * TYPES + type;
            if (rowAsOf[pair] != NO_ROW) {
                String deviceId = ledger.settings().deviceId(device);
                surplus(
                        new LatestTime(deviceId, ReadingGenerator.eventType(type), latestTime, count, asOf),
                        "is there twice");
                return;
            }
            rowAsOf[pair] = asOf;
            rowLatest[pair] = latestTime;
            rowReadings[pair] = count;
        }

        /** Compares these devices and goes on to the next ones. */
        void settle() {
            Arrays.fill(latest, Long.MIN_VALUE);
            Arrays.fill(latestAtMost, Long.MIN_VALUE);
            Arrays.fill(readings, 0);
            Arrays.fill(readingsAtMost, 0);
            walk();
            for (int pair = 0; pair < (to - from) * TYPES; pair++) {
                compare(pair);
            }
            Arrays.fill(rowAsOf, NO_ROW);
            from = to;
            to = Math.min(from + devicesAtOnce, ledger.settings().devices());
        }

        private void walk() {
            IndexRanges acknowledged = ledger.acknowledged();
            long end = Math.max(ledger.offeredTo(), acknowledged.end());
            int range = 0;
            for (long next = 0; next < end; next++) {
                int device = generator.device(next);
                if (device < from || device >= to) {
                    continue;
                }
                generator.values(next, reading);
                int pair = (device - from) * TYPES + ReadingGenerator.eventTypeNumber(reading.eventType);
                if (reading.eventTime >= Math.max(completeTo, rowAsOf[pair])) {
                    continue;
                }
                while (range < acknowledged.size() && acknowledged.to(range) <= next) {
                    range++;
                }
                if (range < acknowledged.size() && acknowledged.from(range) <= next) {
                    book(pair, device);
                } else {
                    result.open++;
                }
            }
        }

        private void book(int pair, int device) {
            long time = reading.eventTime;
            if (!late.isEmpty() && late.contains(new Late(ledger.settings().deviceId(device), reading.sequence))) {
                return;
            }
            latestAtMost[pair] = Math.max(latestAtMost[pair], time);
            readingsAtMost[pair]++;
            boolean mayBeLate = ledger.settings().hasOthers()
                    || Math.floorDiv(reading.intendedSendTime, 1000) - time
                            > window.outOfOrderness().toMillis();
            // Of one that may be late the letter may not be there yet, or not any more.
            if (time >= wholeFrom && !(mayBeLate && (time >= completeTo || time < lettersFrom))) {
                latest[pair] = Math.max(latest[pair], time);
                readings[pair]++;
            }
        }

        private void compare(int pair) {
            if (rowAsOf[pair] == NO_ROW && readings[pair] == 0) {
                return;
            }
            int device = from + pair / TYPES;
            String deviceId = ledger.settings().deviceId(device);
            String type = ReadingGenerator.eventType(pair % TYPES);
            if (rowAsOf[pair] == NO_ROW) {
                long lost = readings[pair];
                result.missing++;
                result.readingsLost += lost;
                result.example(() -> name(deviceId, type) + " is missing, with " + lost + " readings");
                return;
            }
            LatestTime row = new LatestTime(deviceId, type, rowLatest[pair], rowReadings[pair], rowAsOf[pair]);
            if (readingsAtMost[pair] == 0) {
                surplus(row, "has no reading in the ledger");
                return;
            }
            result.rowsChecked++;
            result.devices.set(device);
            result.readingsChecked += row.readings();
            long lost = Math.max(0, readings[pair] - row.readings());
            long doubled = Math.max(0, row.readings() - readingsAtMost[pair]);
            boolean sameTime = row.latest() >= latest[pair] && row.latest() <= latestAtMost[pair];
            if (lost + doubled > 0 || !sameTime) {
                long expectedReadings = readingsAtMost[pair];
                long expectedLatest = latestAtMost[pair];
                result.different++;
                result.readingsLost += lost;
                result.readingsDoubled += doubled;
                result.example(() -> name(deviceId, type) + " as of " + Instant.ofEpochMilli(row.asOf())
                        + " is different: readings " + expectedReadings + " -> " + row.readings() + ", latest "
                        + expectedLatest + " -> " + row.latest());
            }
        }
    }
}
