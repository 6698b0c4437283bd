package dev.millrace.perf.jmh;

import dev.millrace.core.window.Accumulator;

/** What a partial holds, in the form that Flink serializes by itself. */
public class PojoPartial {
    public String deviceId;
    public long sliceEnd;
    public long readings;
    public long firstSequence;
    public long lastSequence;
    public double[] min;
    public double[] max;
    public double[] sum;
    public long errorCount;
    public long packetsSent;
    public long packetsReceived;
    public long bytesSent;
    public long bytesReceived;
    public long[] statusReadings;
    public long latestIntendedSendTime;

    public PojoPartial() {}

    PojoPartial(String deviceId, long sliceEnd, Accumulator values) {
        this.deviceId = deviceId;
        this.sliceEnd = sliceEnd;
        readings = values.readings;
        firstSequence = values.firstSequence;
        lastSequence = values.lastSequence;
        min = values.min;
        max = values.max;
        sum = values.sum;
        errorCount = values.errorCount;
        packetsSent = values.packetsSent;
        packetsReceived = values.packetsReceived;
        bytesSent = values.bytesSent;
        bytesReceived = values.bytesReceived;
        statusReadings = values.statusReadings;
        latestIntendedSendTime = values.latestIntendedSendTime;
    }
}
