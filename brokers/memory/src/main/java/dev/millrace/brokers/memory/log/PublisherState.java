package dev.millrace.brokers.memory.log;

import java.util.Arrays;

/**
 * The last batches of one opening of a publisher, so that one that is sent again is stored once. One that was refused is not
 * remembered: sent again, it is a new one, whatever was stored since. Guarded by its topic.
 */
final class PublisherState {
    /** More than a client has under way at once. */
    static final int REMEMBERED = 64;

    private final long[] sequences = new long[REMEMBERED];
    private final long[][] answers = new long[REMEMBERED][];
    private long last = -1;

    PublisherState() {
        Arrays.fill(sequences, -1);
    }

    /** What was answered to that batch; null when it is new. */
    long[] answered(long sequence) {
        if (sequence < 0 || last - sequence >= REMEMBERED) {
            throw new WrongRequestException(Wire.WRONG, "batch " + sequence + " is far behind batch " + last);
        }
        int slot = (int) (sequence % REMEMBERED);
        return sequences[slot] == sequence ? answers[slot] : null;
    }

    void answer(long sequence, long[] offsets) {
        last = Math.max(last, sequence);
        int slot = (int) (sequence % REMEMBERED);
        sequences[slot] = sequence;
        answers[slot] = offsets;
    }
}
