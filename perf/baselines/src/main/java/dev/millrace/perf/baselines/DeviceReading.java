package dev.millrace.perf.baselines;

/** The 24 fields that the published job carries from its source to its windows. A POJO by Flink's rules. */
public class DeviceReading {
    public String key = "";
    public String deviceType = "";
    public String firmware = "";
    public long sequence;
    public long eventTime;
    public long intendedSendTime;
    public double latitude;
    public double longitude;
    public double altitude;
    public double temperature;
    public double humidity;
    public double pressure;
    public double co2;
    public double noise;
    public double light;
    public double battery;
    public double signalStrength;
    public boolean motion;
    public String status = "";
    public int errorCount;
    public long packetsSent;
    public long packetsReceived;
    public long bytesSent;
    public long bytesReceived;
}
