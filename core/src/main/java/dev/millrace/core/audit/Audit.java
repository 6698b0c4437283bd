package dev.millrace.core.audit;

import dev.millrace.core.settings.WindowSettings;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One comparison of rows with a ledger. First every dead letter, then every row in order of window end, then
 * {@link #finish()}. For each window: its row and its late dead letters together are what the ledger says. Memory is bounded
 * by the windows that are open at one time, not by the length of the run. Rows and dead letters of devices that other generators on the
 * topic have are passed over: those generators' ledgers tell of them. Not thread-safe, used once.
 *
 * <p>The ledger must be read after the rows' extent was asked for, by a second at least when its generator is running:
 * a row that is there must find its readings acknowledged.
 */
public final class Audit {
    private final Ledger ledger;
    private final WindowSettings window;
    private final long from;
    private final long to;
    private final ExpectedWindows expected;
    private final LateReadings late;
    private final AuditResult.Builder result = new AuditResult.Builder("window");
    private final DeadLetterOrder letters = new DeadLetterOrder(result);
    private final Tally actual = new Tally(1);
    private final BitSet seen = new BitSet();
    private boolean rowsBegun;
    private long currentEnd = Long.MIN_VALUE;

    /**
     * @param from windows that end after this, epoch milliseconds ({@link Long#MIN_VALUE}: from the first)
     * @param to and by this ({@link Long#MAX_VALUE}: to the last)
     */
    public Audit(Ledger ledger, WindowSettings window, long from, long to) {
        this.ledger = ledger;
        this.window = window;
        this.from = from;
        this.to = to;
        this.expected = new ExpectedWindows(ledger, window.sizeMillis(), window.slideMillis(), from, to);
        this.late = new LateReadings(window, ledger.settings(), from, to);
    }

    /** A dead letter; they must come in order of partition, then position, and before the first row. */
    public void deadLetter(DeadLetter letter) {
        if (rowsBegun) {
            throw new IllegalStateException("dead letters come before rows");
        }
        if (letters.isLate(letter)) {
            late.add(letter.payload()).ifPresent(problem -> letters.contradicts(letter, problem));
        }
    }

    /** A row; they must come in order of window end, and only those of the audited range. */
    public void window(DeviceWindow row) {
        long windowEnd = row.windowEnd();
        if (windowEnd <= from || windowEnd > to || windowEnd < currentEnd) {
            throw new IllegalArgumentException(
                    "row " + name(row.deviceId(), windowEnd) + " is out of order or outside of the audited range");
        }
        rowsBegun = true;
        if (windowEnd > currentEnd) {
            closeBefore(windowEnd);
            currentEnd = windowEnd;
        }
        if (ledger.settings().isAnothers(row.deviceId())) {
            return;
        }
        Tally ledgerSays = expected.byWindowEnd().get(windowEnd);
        int device = ledger.settings().deviceNumber(row.deviceId());
        boolean known = device >= 0;
        if (!known || seen.get(device)) {
            surplus(row, known ? "is there twice" : "is of a device that is not in the ledger");
            return;
        }
        if (ledgerSays == null || ledgerSays.readings(device) == 0) {
            surplus(row, "has no reading in the ledger");
            return;
        }
        seen.set(device);
        actual.clear(0);
        actual.add(0, row.values());
        Tally itsLate = late.take(windowEnd, device);
        if (itsLate != null) {
            actual.add(0, itsLate, 0);
        }
        long start = windowEnd - window.sizeMillis();
        checked(device);
        compare(
                ledgerSays,
                device,
                windowEnd,
                row.windowStart() == start ? null : "windowStart " + start + " -> " + row.windowStart());
    }

    /** Closes the books. */
    public AuditResult finish() {
        closeBefore(to == Long.MAX_VALUE ? to : to + 1);
        result.open = expected.open();
        result.late = late.count();
        result.lateWithinBound = late.withinBound();
        return result.build(from, to, ledger.settings(), window.outOfOrderness().toMillis());
    }

    /** Settles every window that ends before {@code limit}: what no row stands for is missing. */
    private void closeBefore(long limit) {
        if (limit > currentEnd && currentEnd != Long.MIN_VALUE) {
            settleCurrent();
        }
        expected.advanceTo(Math.min(limit, to));
        Iterator<Map.Entry<Long, Tally>> windows =
                expected.byWindowEnd().headMap(limit).entrySet().iterator();
        while (windows.hasNext()) {
            Map.Entry<Long, Tally> entry = windows.next();
            settle(entry.getKey(), entry.getValue());
            windows.remove();
            expected.giveBack(entry.getValue());
        }
        settleLateBefore(limit);
    }

    private void settleCurrent() {
        Tally tally = expected.byWindowEnd().remove(currentEnd);
        if (tally != null) {
            settle(currentEnd, tally);
            expected.giveBack(tally);
        }
        seen.clear();
    }

    private void settle(long windowEnd, Tally ledgerSays) {
        for (int device = 0; device < ledger.settings().devices(); device++) {
            if (ledgerSays.readings(device) == 0 || seen.get(device)) {
                continue;
            }
            Tally allLate = late.take(windowEnd, device);
            if (allLate != null) {
                // Among other generators any reading may be late, and letters alone are no proof that the job makes
                // windows.
                if (!ledger.settings().hasOthers()) {
                    checked(device);
                }
                actual.clear(0);
                actual.add(0, allLate, 0);
                compare(ledgerSays, device, windowEnd, null);
                continue;
            }
            long readings = ledgerSays.readings(device);
            String deviceId = ledger.settings().deviceId(device);
            result.missing++;
            result.readingsLost += readings;
            result.example(() -> name(deviceId, windowEnd) + " is missing, with " + readings + " readings");
        }
    }

    /** Late readings of audited windows that nothing in the ledger stands for. */
    private void settleLateBefore(long limit) {
        Iterator<Map.Entry<Long, Map<Integer, Tally>>> windows =
                late.byWindowEnd().headMap(limit).entrySet().iterator();
        while (windows.hasNext()) {
            Map.Entry<Long, Map<Integer, Tally>> entry = windows.next();
            long windowEnd = entry.getKey();
            entry.getValue().forEach((device, tally) -> {
                result.surplus++;
                result.readingsDoubled += tally.readings(0);
                result.example(() -> name(ledger.settings().deviceId(device), windowEnd)
                        + " has late dead letters that are not in the ledger");
            });
            windows.remove();
        }
    }

    private void checked(int device) {
        result.rowsChecked++;
        result.devices.set(device);
    }

    private void compare(Tally ledgerSays, int device, long windowEnd, @Nullable String otherDifference) {
        long readings = ledgerSays.readings(device);
        result.readingsChecked += readings;
        List<String> differences = ledgerSays.differences(device, actual, 0);
        if (differences.isEmpty() && otherDifference == null) {
            return;
        }
        result.different++;
        long surplus = actual.readings(0) - readings;
        result.readingsLost += Math.max(0, -surplus);
        result.readingsDoubled += Math.max(0, surplus);
        result.example(() -> name(ledger.settings().deviceId(device), windowEnd) + " is different: "
                + (otherDifference == null ? "" : otherDifference + " ") + String.join(", ", differences));
    }

    private void surplus(DeviceWindow row, String why) {
        result.surplus++;
        result.readingsDoubled += row.values().readings;
        result.example(() -> name(row.deviceId(), row.windowEnd()) + " " + why);
    }

    private static String name(String deviceId, long windowEnd) {
        return "window " + deviceId + " to " + java.time.Instant.ofEpochMilli(windowEnd);
    }
}
