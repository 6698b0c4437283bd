package dev.millrace.brokers.pulsar;

/**
 * Tells a broker that stands from one that is only slow. One that has more and sends nothing may be without permits; but a drain
 * that waits for a slow broker asks for the last entry in many a pause between two entries, and permits that it did not lack would
 * fill the heap. Belongs to the fetch thread.
 */
final class StallWatch {
    /** So many answers in a row say that there is more, and nothing came all the while. */
    static final int SILENT_ANSWERS = 3;

    private long arrivalsWhenAsked;
    private int silentAnswers;

    /**
     * The broker is asked for its last entry.
     *
     * @param arrivals entries that have come so far
     */
    void asked(long arrivals) {
        if (arrivals != arrivalsWhenAsked) {
            arrivalsWhenAsked = arrivals;
            silentAnswers = 0;
        }
    }

    /**
     * The broker has answered; begins to count anew after a stall.
     *
     * @param arrivals entries that have come so far
     * @param atEnd whether the answer says that all has come
     * @return whether the broker stands
     */
    boolean stalled(long arrivals, boolean atEnd) {
        boolean silent = !atEnd && arrivals == arrivalsWhenAsked;
        silentAnswers = silent ? silentAnswers + 1 : 0;
        if (silentAnswers < SILENT_ANSWERS) {
            return false;
        }
        silentAnswers = 0;
        return true;
    }
}
