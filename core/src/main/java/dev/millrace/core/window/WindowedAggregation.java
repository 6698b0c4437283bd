package dev.millrace.core.window;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.JobSettings;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;

/** The job: chunks of payloads in, one row per device and window out. */
public final class WindowedAggregation {
    /** Payloads that are in no row: late, or no reading at all. */
    public static final OutputTag<DeadLetter> DEAD_LETTERS = new OutputTag<>("dead-letters", WindowTypes.DEAD_LETTER);

    private WindowedAggregation() {}

    /**
     * Decodes each payload where it was read, merges what it can there, then merges the readings of each device slice by slice
     * into its windows.
     *
     * @param chunks from {@code fromSource} with {@link ReadingWatermarks} and {@link WindowTypes#PAYLOAD_CHUNK}, at the
     *     parallelism of the settings
     */
    public static Windows over(DataStream<PayloadChunk> chunks, JobSettings settings) {
        long preAggregationBytes = settings.preAggregationBytes();
        SingleOutputStreamOperator<SlicePartial> partials = chunks.transform(
                        "decode",
                        WindowTypes.SLICE_PARTIAL,
                        new ChunkDecoder<>(settings, false, out -> new PreAggregation(preAggregationBytes, out)))
                .setParallelism(chunks.getParallelism())
                .uid("decode");

        SingleOutputStreamOperator<DeviceWindow> rows = partials.keyBy(partial -> partial.deviceId, Types.STRING)
                .transform("windows", WindowTypes.DEVICE_WINDOW, new SliceWindows(settings))
                .setParallelism(settings.parallelism())
                .uid("windows");

        return new Windows(rows, partials.getSideOutput(DEAD_LETTERS).union(rows.getSideOutput(DEAD_LETTERS)));
    }
}
