package dev.millrace.brokers.memory.log;

/** The last batches of one opening of a publisher, so that one that is sent again is stored once. Guarded by its topic. */
final class PublisherState {
    /** More than a client has under way at once. */
    static final int REMEMBERED = 64;

    private final long[][] answers = new long[REMEMBERED][];
    private long last = -1;

    /** What was answered to that batch; null when it is new. */
    long[] answered(long sequence) {
        if (sequence > last) {
            return null;
        }
        if (last - sequence >= REMEMBERED) {
            throw new WrongRequestException(Wire.WRONG, "batch " + sequence + " is far behind batch " + last);
        }
        return answers[(int) (sequence % REMEMBERED)];
    }

    void answer(long sequence, long[] offsets) {
        last = sequence;
        answers[(int) (sequence % REMEMBERED)] = offsets;
    }
}
