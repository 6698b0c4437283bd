package dev.millrace.core.reading;

/**
 * Readings as {@link ReadingDecoder} found them, a run of payloads at once: what it does to one of them it does to all of them
 * before it goes on. Used again for every run. Devices may be spans of the payloads' own array, so they are good only while
 * that is. Not thread-safe.
 */
public final class DecodedReadings {
    /** Enough that what each waits for is waited for side by side, and so few that they stay in the first cache. */
    public static final int ROWS = 64;

    private static final int LINE_BYTES = 64;
    /** Of longer payloads most lines are stepped over, and so many would put each other out of the cache. */
    private static final int MOST_TOUCHED_BYTES = 64 << 10;

    static final int SEQUENCE = 0;
    static final int EVENT_TIME = 1;
    static final int INTENDED_SEND_TIME = 2;
    static final int STATUS = 3;
    static final int ERROR_COUNT = 4;
    static final int PACKETS_SENT = 5;
    static final int PACKETS_RECEIVED = 6;
    static final int BYTES_SENT = 7;
    static final int BYTES_RECEIVED = 8;
    /** Numbers that nobody reads. */
    static final int UNREAD = 9;

    static final int NUMBERS = 10;

    /** Where the next field of each begins, while they are decoded. */
    final int[] at = new int[ROWS];

    /** Of each row those that the constants above say. */
    final long[] numbers = new long[NUMBERS * ROWS];

    /** Of each row {@link Measure#COUNT}. */
    final double[] measures = new double[Measure.COUNT * ROWS];

    final Names devices = new Names();
    final Names types = new Names();

    private final DecodedReading[] readings = new DecodedReading[ROWS];
    private final boolean[] undecodable = new boolean[ROWS];
    /** Written so that the loads that only warm the cache are not optimised away. */
    private int touched;

    public DecodedReadings() {
        for (int row = 0; row < ROWS; row++) {
            readings[row] = new DecodedReading(this, row);
        }
    }

    /** Spans of valid UTF-8. */
    static final class Names {
        final byte[][] arrays = new byte[ROWS][];
        final int[] starts = new int[ROWS];
        final int[] lengths = new int[ROWS];
        /** For names that lie in no payload. */
        private final byte[][] own = new byte[ROWS][0];

        private Names() {
            System.arraycopy(own, 0, arrays, 0, ROWS);
        }

        void set(int row, byte[] bytes, int start, int length) {
            // Mostly the one that is there: storing a reference costs more than looking at it.
            if (arrays[row] != bytes) {
                arrays[row] = bytes;
            }
            starts[row] = start;
            lengths[row] = length;
        }

        /** As {@link #set}, with a copy. */
        void copy(int row, byte[] bytes, int length) {
            if (own[row].length < length) {
                own[row] = new byte[length];
            }
            System.arraycopy(bytes, 0, own[row], 0, length);
            set(row, own[row], 0, length);
        }
    }

    /** The reading of that row; always the same object. */
    public DecodedReading get(int row) {
        return readings[row];
    }

    /** Whether the row's payload was no reading; then the reading holds anything. */
    public boolean isUndecodable(int row) {
        return undecodable[row];
    }

    void undecodable(int row, boolean is) {
        undecodable[row] = is;
    }

    /**
     * Has {@code bytes[start, end)} come into the cache, line by line: another core wrote them, and steps that go from payload to
     * payload would wait for every line. Does nothing where there are too many.
     */
    void touch(byte[] bytes, int start, int end) {
        if (end - start > MOST_TOUCHED_BYTES) {
            return;
        }
        int seen = 0;
        for (int i = start; i < end; i += LINE_BYTES) {
            seen ^= bytes[i];
        }
        touched = seen;
    }
}
