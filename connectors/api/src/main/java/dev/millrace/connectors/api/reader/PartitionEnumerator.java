package dev.millrace.connectors.api.reader;

import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.core.reading.Position;
import java.util.ArrayList;
import java.util.HashMap;
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

/**
 * Finds the partitions and gives each to a reader, always the same at the same parallelism. Partitions are numbered from 0 and
 * only ever added.
 */
public final class PartitionEnumerator implements SplitEnumerator<PartitionSplit, PartitionEnumeratorState> {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionEnumerator.class);

    private final SplitEnumeratorContext<PartitionSplit> context;
    private final SourceSpec spec;
    private final PartitionLookup lookup;
    private final List<PartitionSplit> unassigned;
    /** Written by the coordinator's thread, read by the one that asks. */
    private volatile int known;

    /** @param lookup is closed with the enumerator */
    public PartitionEnumerator(
            SplitEnumeratorContext<PartitionSplit> context,
            PartitionLookup lookup,
            SourceSpec spec,
            PartitionEnumeratorState state) {
        this.context = context;
        this.spec = spec;
        this.lookup = lookup;
        this.known = state.known();
        this.unassigned = new ArrayList<>(state.unassigned());
    }

    @Override
    public void start() {
        long everyMillis = spec.partitionDiscovery().toMillis();
        if (everyMillis > 0 && spec.stopAt() == StopAt.NEVER) {
            context.callAsync(() -> lookup.ends(known), this::found, 0, everyMillis);
        } else if (known == 0) {
            context.callAsync(() -> lookup.ends(0), this::found);
        }
    }

    private void found(@Nullable Map<Integer, Position> ends, @Nullable Throwable failure) {
        if (ends == null) {
            if (known == 0) {
                throw new FlinkRuntimeException(
                        "the partitions of topic '" + spec.topic() + "' are not known", failure);
            }
            LOG.warn("new partitions were not looked for: {}", String.valueOf(failure));
            return;
        }
        boolean first = known == 0;
        int next = known;
        for (Position end = ends.get(next); end != null; end = ends.get(next)) {
            // A partition that appears later is read whole, whatever the start was.
            Position start = first ? start(next, end) : null;
            Position stop = spec.stopAt() == StopAt.END ? end : null;
            unassigned.add(new PartitionSplit(spec.topic(), next, start, stop));
            next++;
        }
        known = next;
        assign(Set.copyOf(context.registeredReaders().keySet()));
    }

    private @Nullable Position start(int partition, Position end) {
        StartFrom from = spec.startFrom();
        if (from instanceof StartFrom.Latest) {
            return end;
        }
        return from instanceof StartFrom.At at ? at.positions().get(partition) : null;
    }

    /**
     * A reader gets its partitions in one assignment: between two of them its watermark would be that of the first ones alone,
     * and what lies in the others could be late.
     *
     * @param readers those that have to be looked after; of a bounded topic no other is told again that no split follows,
     *     since it may have ended by now, and an event to a reader that has ended is one lost, for which Flink fails it
     */
    private void assign(Set<Integer> readers) {
        Map<Integer, List<PartitionSplit>> assignment = new HashMap<>();
        for (PartitionSplit split : List.copyOf(unassigned)) {
            int reader = split.partition() % context.currentParallelism();
            if (readers.contains(reader)) {
                unassigned.remove(split);
                assignment.computeIfAbsent(reader, r -> new ArrayList<>()).add(split);
            }
        }
        if (!assignment.isEmpty()) {
            context.assignSplits(new SplitsAssignment<>(assignment));
        }
        if (spec.stopAt() == StopAt.END && known > 0) {
            readers.forEach(context::signalNoMoreSplits);
        }
    }

    @Override
    public void addReader(int subtask) {
        assign(Set.of(subtask));
    }

    /** Given out again when the reader's next attempt registers. */
    @Override
    public void addSplitsBack(List<PartitionSplit> splits, int subtask) {
        unassigned.addAll(splits);
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
        // Splits are assigned as they are found, nobody asks.
    }

    @Override
    public PartitionEnumeratorState snapshotState(long checkpointId) {
        return new PartitionEnumeratorState(known, List.copyOf(unassigned));
    }

    @Override
    public void close() {
        lookup.close();
    }
}
