package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.reader.PartitionSplit;
import dev.millrace.connectors.api.reader.PendingRecords;
import dev.millrace.connectors.api.reader.SplitGroupReader;
import dev.millrace.core.reading.Position;
import java.util.Map;
import java.util.TreeMap;

/** Puts a group reader together of what the source is made of. */
final class PulsarGroupReader {
    private PulsarGroupReader() {}

    /** @param from where each partition begins; those that are not named begin at their oldest record */
    static GroupReader open(
            PulsarOptions options, String topic, String readerGroup, int partitions, Map<Integer, Position> from) {
        Map<Integer, PartitionSplit> splits = new TreeMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            splits.put(partition, new PartitionSplit(topic, partition, from.get(partition), null));
        }
        return open(options, topic, readerGroup, splits);
    }

    /** @param splits by partition */
    static GroupReader open(
            PulsarOptions options, String topic, String readerGroup, Map<Integer, PartitionSplit> splits) {
        PendingWatch watch = new PendingWatch(options, readerGroup, new PendingRecords(), 0);
        ReaderGroup group = ReaderGroup.withReceipts(options, topic, readerGroup, watch);
        GroupCursor cursor = new GroupCursor(options, topic, readerGroup);
        return new SplitGroupReader<>(
                "topic '" + topic + "' of reader group '" + readerGroup + "'",
                new PulsarSplitReader(group, cursor, watch, PulsarChunkSource.mostMessagesAhead(options)),
                splits,
                group);
    }
}
