package dev.millrace.core.reading;

/**
 * One reading with every field of the schema, mutable so that one instance serves a whole stream: the generator fills
 * it, the encoder writes it, the decoder fills it again. Not thread-safe.
 */
public final class Reading {
    public String deviceId = "";
    public String deviceType = "";
    public String customerId = "";
    public String siteId = "";
    /** Per device, from 0. */
    public long sequence;
    /** Epoch milliseconds. */
    public long eventTime;
    /** Epoch microseconds. */
    public long intendedSendTime;

    public double latitude;
    public double longitude;
    public double altitude;
    /** Indexed by {@link Measure#ordinal()}. */
    public final double[] measures = new double[Measure.COUNT];

    public boolean motion;
    /** {@link Status#ordinal()}. */
    public int status;

    public int errorCount;
    public long packetsSent;
    public long packetsReceived;
    public long bytesSent;
    public long bytesReceived;
    public String firmware = "";
    public String eventType = "";
    public byte[] filler = new byte[0];
}
