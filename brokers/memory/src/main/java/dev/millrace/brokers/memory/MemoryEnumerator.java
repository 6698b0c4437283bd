package dev.millrace.brokers.memory;

import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.core.reading.Position;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.util.FlinkRuntimeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the partitions and gives each to a reader, always the same at the same parallelism. */
final class MemoryEnumerator implements SplitEnumerator<MemorySplit, MemoryEnumeratorState> {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryEnumerator.class);

    private final SplitEnumeratorContext<MemorySplit> context;
    private final SourceSpec spec;
    private final Control control;
    private final List<MemorySplit> unassigned;
    private int known;

    MemoryEnumerator(
            SplitEnumeratorContext<MemorySplit> context,
            MemoryOptions options,
            SourceSpec spec,
            MemoryEnumeratorState state) {
        this.context = context;
        this.spec = spec;
        this.control = new Control(options.address());
        this.known = state.known();
        this.unassigned = new ArrayList<>(state.unassigned());
    }

    @Override
    public void start() {
        long everyMillis = spec.partitionDiscovery().toMillis();
        if (everyMillis > 0 && spec.stopAt() == StopAt.NEVER) {
            context.callAsync(() -> control.existing(spec.topic()), this::found, 0, everyMillis);
        } else if (known == 0) {
            context.callAsync(() -> control.existing(spec.topic()), this::found);
        }
    }

    private void found(@Nullable TopicDescription topic, @Nullable Throwable failure) {
        if (topic == null) {
            if (known == 0) {
                throw new FlinkRuntimeException(
                        "the partitions of topic '" + spec.topic() + "' are not known", failure);
            }
            LOG.warn("new partitions were not looked for: {}", String.valueOf(failure));
            return;
        }
        boolean first = known == 0;
        for (int partition = known; partition < topic.partitions(); partition++) {
            // A partition that appears later is read whole, whatever the start was.
            Position start = first ? start(topic, partition) : null;
            Position stop = spec.stopAt() == StopAt.END ? topic.end(partition) : null;
            unassigned.add(new MemorySplit(spec.topic(), partition, start, stop));
        }
        known = Math.max(known, topic.partitions());
        assign();
    }

    private @Nullable Position start(TopicDescription topic, int partition) {
        StartFrom from = spec.startFrom();
        if (from instanceof StartFrom.Latest) {
            return topic.end(partition);
        }
        return from instanceof StartFrom.At at ? at.positions().get(partition) : null;
    }

    private void assign() {
        Set<Integer> readers = new HashSet<>(context.registeredReaders().keySet());
        for (MemorySplit split : List.copyOf(unassigned)) {
            int reader = split.partition() % context.currentParallelism();
            if (readers.contains(reader)) {
                unassigned.remove(split);
                context.assignSplits(new SplitsAssignment<>(Map.of(reader, List.of(split))));
            }
        }
        if (spec.stopAt() == StopAt.END && known > 0) {
            readers.forEach(context::signalNoMoreSplits);
        }
    }

    @Override
    public void addReader(int subtask) {
        assign();
    }

    @Override
    public void addSplitsBack(List<MemorySplit> splits, int subtask) {
        unassigned.addAll(splits);
        assign();
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
        // Splits are assigned as they are found, nobody asks.
    }

    @Override
    public MemoryEnumeratorState snapshotState(long checkpointId) {
        return new MemoryEnumeratorState(known, List.copyOf(unassigned));
    }

    @Override
    public void close() {
        control.close();
    }
}
