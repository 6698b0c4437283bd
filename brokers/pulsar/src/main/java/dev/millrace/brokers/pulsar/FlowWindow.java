package dev.millrace.brokers.pulsar;

import java.util.function.LongSupplier;

/**
 * How many messages the broker may send ahead of the job. Pulsar counts permits in messages, whatever their size; this counts
 * bytes: the window opens from the first few messages to what fits {@value #WINDOW_BYTES} bytes at the size that is seen. A
 * connection that is new has its own permits, and its entries are booked on the client's thread, before the thread that grants need have
 * seen it. So it is the first of its entries that begins its account. Guarded by its inbox.
 */
final class FlowWindow {
    /** What a consumer asks for when it connects: little, because the messages' size is not known yet. */
    static final int FIRST_PERMITS = 64;

    /** The client sends permits on only when it holds at least this many. */
    private static final int LEAST_GRANT = FIRST_PERMITS / 2;

    /** For each partition: a gigabyte a second at 4 ms to the broker, and half a gigabyte in all of 128 partitions. */
    private static final int WINDOW_BYTES = 4 << 20;
    /** Weight of what is new in the mean size. */
    private static final double WEIGHT = 0.1;

    private final int most;
    private LongSupplier disconnections = () -> 0;
    private long seenDisconnection;
    private double meanBytes;
    private long held;
    private long credit = FIRST_PERMITS;
    /** A stall was answered, and nothing has come since. */
    private boolean refilled;

    /** @param most never more messages than this */
    FlowWindow(int most) {
        this.most = Math.max(FIRST_PERMITS, most);
    }

    /**
     * The consumer is connected and has what it asks for first.
     *
     * @param disconnections gives another number when it has been without a connection in between; thread-safe
     */
    void connected(LongSupplier disconnections) {
        this.disconnections = disconnections;
        seenDisconnection = disconnections.getAsLong();
    }

    /** After a reconnect the broker has forgotten what was granted. */
    private void adoptConnection() {
        if (!isOfThisConnection()) {
            seenDisconnection = disconnections.getAsLong();
            credit = FIRST_PERMITS;
            refilled = false;
        }
    }

    private boolean isOfThisConnection() {
        return disconnections.getAsLong() == seenDisconnection;
    }

    /** An entry came. */
    void received(int messages, int bytes) {
        adoptConnection();
        refilled = false;
        credit -= messages;
        held += messages;
        double mean = (double) bytes / messages;
        meanBytes = meanBytes == 0 ? mean : meanBytes + WEIGHT * (mean - meanBytes);
    }

    /** Messages that came are taken, or dropped. */
    void released(long messages) {
        held -= messages;
    }

    /**
     * The broker sends nothing although there is something: it may have no permits left. Answered once until something comes: a
     * broker that is silent for another reason keeps what it is granted, and would send all of it at once.
     */
    void stalled() {
        adoptConnection();
        if (!refilled) {
            credit = Math.min(credit, 0);
            refilled = true;
        }
    }

    /** The permits to be granted now; they count as granted. */
    int grant() {
        if (!isOfThisConnection()) {
            // It may be on its way out still, and take with it what it is granted.
            return 0;
        }
        // Nothing has come yet: a stall may have eaten what a consumer asks for first.
        long target = meanBytes == 0
                ? FIRST_PERMITS
                : Math.max(FIRST_PERMITS, Math.min(most, (long) (WINDOW_BYTES / Math.max(1, meanBytes))));
        long missing = target - held - credit;
        if (missing < Math.max(LEAST_GRANT, target / 4)) {
            return 0;
        }
        credit += missing;
        return (int) missing;
    }
}
