package dev.millrace.perf.baselines;

import dev.millrace.connectors.api.Named;
import dev.millrace.connectors.api.baseline.OfficialSource;
import dev.millrace.connectors.api.store.StoreSink;
import dev.millrace.connectors.job.FlinkDefaults;
import dev.millrace.connectors.job.Main;
import dev.millrace.connectors.job.StackJob;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.Status;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeviceWindow;
import dev.millrace.core.window.WindowTypes;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.formats.avro.AvroDeserializationSchema;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

/**
 * The same windows as the published platform makes them: generic records, a POJO of 24 fields keyed by a formatted string, an
 * accumulator without a serializer of its own. Event time instead of its processing time, so that its rows can be audited. Its
 * state backend is the settings': RocksDB, where it is compared.
 */
final class PublishedJob {
    private PublishedJob() {}

    static void build(StreamExecutionEnvironment environment, StackJob job) {
        rows(environment, job)
                .sinkTo(Main.inStore(StoreSink.windows(job.store(), job.storeOptions()), job))
                .uid("store");
    }

    /** The job without its sink. */
    static DataStream<DeviceWindow> rows(StreamExecutionEnvironment environment, StackJob job) {
        Configuration configuration = FlinkDefaults.job(job.settings());
        configuration.set(PipelineOptions.GENERIC_TYPES, true);
        configuration.set(PipelineOptions.OBJECT_REUSE, false);
        environment.configure(configuration);
        OfficialSource official =
                Named.find(OfficialSource.class, OfficialSource::name, "official source of broker", job.broker());
        return environment
                .fromSource(
                        official.source(
                                job.brokerOptions(),
                                job.sourceSpec(),
                                AvroDeserializationSchema.forGeneric(ReadingRecord.getClassSchema())),
                        WatermarkStrategy.<GenericRecord>forBoundedOutOfOrderness(
                                        job.settings().window().outOfOrderness())
                                .withTimestampAssigner((record, ignored) -> (Long) record.get("eventTime")),
                        job.broker())
                .uid("source")
                .map(PublishedJob::reading)
                .returns(DeviceReading.class)
                .uid("map")
                .keyBy(reading -> reading.key, Types.STRING)
                .window(TumblingEventTimeWindows.of(job.settings().window().size()))
                .aggregate(
                        new OfDeviceReadings(),
                        new WindowRow(),
                        new GenericTypeInfo<>(Accumulator.class),
                        new GenericTypeInfo<>(Accumulator.class),
                        WindowTypes.DEVICE_WINDOW)
                .uid("windows");
    }

    private static DeviceReading reading(GenericRecord record) {
        DeviceReading reading = new DeviceReading();
        reading.key = String.format("%s/%s/%s", record.get("customerId"), record.get("siteId"), record.get("deviceId"));
        reading.deviceType = record.get("deviceType").toString();
        reading.firmware = record.get("firmware").toString();
        reading.sequence = (Long) record.get("sequence");
        reading.eventTime = (Long) record.get("eventTime");
        reading.intendedSendTime = (Long) record.get("intendedSendTime");
        reading.latitude = (Double) record.get("latitude");
        reading.longitude = (Double) record.get("longitude");
        reading.altitude = (Double) record.get("altitude");
        reading.temperature = (Double) record.get("temperature");
        reading.humidity = (Double) record.get("humidity");
        reading.pressure = (Double) record.get("pressure");
        reading.co2 = (Double) record.get("co2");
        reading.noise = (Double) record.get("noise");
        reading.light = (Double) record.get("light");
        reading.battery = (Double) record.get("battery");
        reading.signalStrength = (Double) record.get("signalStrength");
        reading.motion = (Boolean) record.get("motion");
        reading.status = record.get("status").toString();
        reading.errorCount = (Integer) record.get("errorCount");
        reading.packetsSent = (Long) record.get("packetsSent");
        reading.packetsReceived = (Long) record.get("packetsReceived");
        reading.bytesSent = (Long) record.get("bytesSent");
        reading.bytesReceived = (Long) record.get("bytesReceived");
        return reading;
    }

    private static final class OfDeviceReadings extends Aggregate<DeviceReading> {
        private static final long serialVersionUID = 1;

        @Override
        void fill(DeviceReading from, Reading reading) {
            reading.sequence = from.sequence;
            reading.intendedSendTime = from.intendedSendTime;
            reading.measures[0] = from.temperature;
            reading.measures[1] = from.humidity;
            reading.measures[2] = from.pressure;
            reading.measures[3] = from.co2;
            reading.measures[4] = from.noise;
            reading.measures[5] = from.light;
            reading.measures[6] = from.battery;
            reading.measures[7] = from.signalStrength;
            reading.status = Status.valueOf(from.status).ordinal();
            reading.errorCount = from.errorCount;
            reading.packetsSent = from.packetsSent;
            reading.packetsReceived = from.packetsReceived;
            reading.bytesSent = from.bytesSent;
            reading.bytesReceived = from.bytesReceived;
        }
    }
}
