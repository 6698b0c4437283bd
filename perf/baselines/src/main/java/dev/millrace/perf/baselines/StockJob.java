package dev.millrace.perf.baselines;

import dev.millrace.connectors.api.Named;
import dev.millrace.connectors.api.baseline.OfficialSource;
import dev.millrace.connectors.api.store.StoreSink;
import dev.millrace.connectors.job.FlinkDefaults;
import dev.millrace.connectors.job.Main;
import dev.millrace.connectors.job.StackJob;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.window.DeviceWindow;
import dev.millrace.core.window.WindowTypes;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

/**
 * What a good engineer writes in an afternoon: the official connector, Avro's specific record of the fields that are used,
 * keyBy, Flink's window operator with an incremental aggregate, heap state, object reuse. The
 * accumulator crosses checkpoints by the product's own serializer, which favours this job.
 */
final class StockJob {
    private StockJob() {}

    static void build(StreamExecutionEnvironment environment, StackJob job) {
        rows(environment, job)
                .sinkTo(Main.inStore(StoreSink.windows(job.store(), job.storeOptions()), job))
                .uid("store");
    }

    /** The job without its sink. */
    static DataStream<DeviceWindow> rows(StreamExecutionEnvironment environment, StackJob job) {
        environment.configure(FlinkDefaults.job(job.settings()));
        OfficialSource official =
                Named.find(OfficialSource.class, OfficialSource::name, "official source of broker", job.broker());
        return environment
                .fromSource(
                        official.source(job.brokerOptions(), job.sourceSpec(), new UsedReadings()),
                        WatermarkStrategy.<UsedReading>forBoundedOutOfOrderness(
                                        job.settings().window().outOfOrderness())
                                .withTimestampAssigner((reading, ignored) -> reading.getEventTime()),
                        job.broker())
                .uid("source")
                .keyBy(UsedReading::getDeviceId, Types.STRING)
                .window(TumblingEventTimeWindows.of(job.settings().window().size()))
                .aggregate(
                        new OfRecords(),
                        new WindowRow(),
                        WindowTypes.ACCUMULATOR,
                        WindowTypes.ACCUMULATOR,
                        WindowTypes.DEVICE_WINDOW)
                .uid("windows");
    }

    private static final class OfRecords extends Aggregate<UsedReading> {
        private static final long serialVersionUID = 1;

        @Override
        void fill(UsedReading record, Reading reading) {
            reading.sequence = record.getSequence();
            reading.intendedSendTime = record.getIntendedSendTime();
            reading.measures[0] = record.getTemperature();
            reading.measures[1] = record.getHumidity();
            reading.measures[2] = record.getPressure();
            reading.measures[3] = record.getCo2();
            reading.measures[4] = record.getNoise();
            reading.measures[5] = record.getLight();
            reading.measures[6] = record.getBattery();
            reading.measures[7] = record.getSignalStrength();
            reading.status = record.getStatus().ordinal();
            reading.errorCount = record.getErrorCount();
            reading.packetsSent = record.getPacketsSent();
            reading.packetsReceived = record.getPacketsReceived();
            reading.bytesSent = record.getBytesSent();
            reading.bytesReceived = record.getBytesReceived();
        }
    }
}
