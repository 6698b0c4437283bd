package dev.millrace.brokers.memory.log;

/**
 * The protocol: a frame is its length (4 bytes), one byte for the request or the answer's status, and the rest. Answers come in
 * the order of the requests. All numbers are big-endian; a text is its length (2 bytes) and UTF-8.
 */
public final class Wire {
    /** A longer frame is an error of the peer. */
    public static final int FRAME_BYTES_MAX = 64 << 20;

    /** The largest payload of one reading. */
    public static final int PAYLOAD_BYTES_MAX = 1 << 20;

    /** In a fetch: from the oldest record that is there. */
    public static final long OLDEST = -1;

    public static final byte PING = 1;
    public static final byte CREATE = 2;
    public static final byte DELETE = 3;
    public static final byte ADD_PARTITIONS = 4;
    public static final byte DESCRIBE = 5;
    public static final byte PUBLISH = 6;
    public static final byte FETCH = 7;
    public static final byte COMMIT = 8;
    public static final byte LAG = 9;
    public static final byte FORGET = 10;

    public static final byte OK = 0;
    /** The request is wrong; a text follows. */
    public static final byte WRONG = 1;
    /** A position is no longer there; a text follows. */
    public static final byte GONE = 2;

    private Wire() {}
}
