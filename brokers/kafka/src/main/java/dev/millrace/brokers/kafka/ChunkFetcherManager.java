package dev.millrace.brokers.kafka;

import dev.millrace.core.reading.PayloadChunk;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.fetcher.SingleThreadFetcherManager;
import org.apache.flink.connector.base.source.reader.fetcher.SplitFetcher;
import org.apache.flink.connector.base.source.reader.fetcher.SplitFetcherTask;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Brings commits to the fetch thread, the only one that may touch the consumer. */
final class ChunkFetcherManager extends SingleThreadFetcherManager<PayloadChunk, KafkaPartitionSplit> {

    ChunkFetcherManager(
            Supplier<SplitReader<PayloadChunk, KafkaPartitionSplit>> splitReader, Configuration configuration) {
        super(splitReader, configuration, finishedSplits -> {});
    }

    void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        SplitFetcher<PayloadChunk, KafkaPartitionSplit> running = getRunningFetcher();
        SplitFetcher<PayloadChunk, KafkaPartitionSplit> fetcher = running == null ? createSplitFetcher() : running;
        fetcher.enqueueTask(new SplitFetcherTask() {
            @Override
            public boolean run() {
                ((KafkaChunkSplitReader) fetcher.getSplitReader()).commit(offsets);
                return true;
            }

            @Override
            public void wakeUp() {}
        });
        if (running == null) {
            startFetcher(fetcher);
        }
    }
}
