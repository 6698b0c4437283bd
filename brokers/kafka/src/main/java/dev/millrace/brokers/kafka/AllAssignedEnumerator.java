package dev.millrace.brokers.kafka;

import java.io.IOException;
import java.util.List;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.jspecify.annotations.Nullable;

/**
 * The official enumerator of a bounded source, restored when all its splits were assigned. Left to itself it looks for
 * partitions, finds none that is new and then never says that no split follows, so the source would not end.
 */
final class AllAssignedEnumerator implements SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> {
    private final SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> official;
    private final SplitEnumeratorContext<KafkaPartitionSplit> context;

    AllAssignedEnumerator(
            SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> official,
            SplitEnumeratorContext<KafkaPartitionSplit> context) {
        this.official = official;
        this.context = context;
    }

    /** Nothing to look for: a partition that came later lies behind the end. */
    @Override
    public void start() {}

    @Override
    public void addReader(int subtask) {
        official.addReader(subtask);
        context.signalNoMoreSplits(subtask);
    }

    @Override
    public void addSplitsBack(List<KafkaPartitionSplit> splits, int subtask) {
        official.addSplitsBack(splits, subtask);
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
        official.handleSplitRequest(subtask, host);
    }

    @Override
    public KafkaSourceEnumState snapshotState(long checkpointId) throws Exception {
        return official.snapshotState(checkpointId);
    }

    @Override
    public void close() throws IOException {
        official.close();
    }
}
