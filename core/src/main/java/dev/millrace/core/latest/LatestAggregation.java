package dev.millrace.core.latest;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.window.ChunkDecoder;
import dev.millrace.core.window.VersionedType;
import dev.millrace.core.window.WindowTypes;
import dev.millrace.core.window.WindowedAggregation;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** The second job: chunks of payloads in, the latest time of each device and event type out. */
public final class LatestAggregation {
    public static final TypeInformation<LatestTime> LATEST_TIME =
            new VersionedType<>(LatestTime.class, LatestTimeSerializer.INSTANCE);

    private static final TypeInformation<TypedReading> TYPED_READING =
            new VersionedType<>(TypedReading.class, TypedReadingSerializer.INSTANCE);

    private LatestAggregation() {}

    /**
     * Decodes each payload where it was read, gathers the readings of each device slice by slice, and when a slice closes, adds
     * them to what is known of the device's event types.
     *
     * @param chunks from {@code fromSource} with {@link dev.millrace.core.window.ReadingWatermarks} and {@link
     *     WindowTypes#PAYLOAD_CHUNK}, at the parallelism of the settings
     */
    public static LatestTimes over(DataStream<PayloadChunk> chunks, JobSettings settings) {
        SingleOutputStreamOperator<TypedReading> readings = chunks.transform(
                        "decode", TYPED_READING, new ChunkDecoder<>(settings, true, OneByOne::new))
                .setParallelism(chunks.getParallelism())
                .uid("decode");

        SingleOutputStreamOperator<LatestTime> rows = readings.keyBy(reading -> reading.deviceId, Types.STRING)
                .transform("latest times", LATEST_TIME, new SliceTimes(settings))
                .setParallelism(settings.parallelism())
                .uid("latest-times");

        return new LatestTimes(
                rows,
                readings.getSideOutput(WindowedAggregation.DEAD_LETTERS)
                        .union(rows.getSideOutput(WindowedAggregation.DEAD_LETTERS)));
    }
}
