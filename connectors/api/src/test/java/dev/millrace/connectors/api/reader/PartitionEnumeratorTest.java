package dev.millrace.connectors.api.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.core.reading.Position;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class PartitionEnumeratorTest {
    private static final Position END = new Position(0, 10);

    private final Readers readers = new Readers(2);

    @Test
    void aReaderThatMayHaveEndedIsToldNothingWhenAnotherRegisters() {
        PartitionEnumerator enumerator = enumerator(StopAt.END, 1);
        enumerator.start();
        readers.register(enumerator, 1);
        assertThat(readers.takeEvents()).containsExactly("no more splits for 1");
        readers.register(enumerator, 0);
        assertThat(readers.takeEvents()).containsExactly("partition 0 for 0", "no more splits for 0");
    }

    @Test
    void readersThatWereThereBeforeThePartitionsWereFoundAreToldOnce() {
        PartitionEnumerator enumerator = enumerator(StopAt.END, 1);
        readers.register(enumerator, 0);
        readers.register(enumerator, 1);
        assertThat(readers.takeEvents()).isEmpty();
        enumerator.start();
        assertThat(readers.takeEvents())
                .containsExactlyInAnyOrder("partition 0 for 0", "no more splits for 0", "no more splits for 1");
    }

    @Test
    void aFailedReadersPartitionsAreItsOwnAgainWhenItsNextAttemptRegisters() {
        PartitionEnumerator enumerator = enumerator(StopAt.END, 3);
        enumerator.start();
        readers.register(enumerator, 0);
        readers.register(enumerator, 1);
        readers.takeEvents();
        enumerator.addSplitsBack(readers.fail(0), 0);
        assertThat(readers.takeEvents()).isEmpty();
        readers.register(enumerator, 0);
        assertThat(readers.takeEvents())
                .containsExactly("partition 0 for 0", "partition 2 for 0", "no more splits for 0");
    }

    @Test
    void readersOfATopicWithoutAnEndAreNotToldThatNoSplitFollows() {
        PartitionEnumerator enumerator = enumerator(StopAt.NEVER, 2);
        enumerator.start();
        readers.register(enumerator, 0);
        readers.register(enumerator, 1);
        assertThat(readers.takeEvents()).containsExactly("partition 0 for 0", "partition 1 for 1");
    }

    @Test
    void aReaderGetsAllItsPartitionsAtOnceSinceItsWatermarkWouldRunAheadOfThoseThatFollow() {
        PartitionEnumerator enumerator = enumerator(StopAt.NEVER, 4);
        readers.register(enumerator, 0);
        readers.register(enumerator, 1);
        enumerator.start();
        assertThat(readers.assignments())
                .containsExactlyInAnyOrder("partitions [0, 2] for 0", "partitions [1, 3] for 1");
    }

    private PartitionEnumerator enumerator(StopAt stopAt, int partitions) {
        SourceSpec spec = new SourceSpec("topic", "group", new StartFrom.Earliest(), stopAt, Duration.ofSeconds(1));
        return new PartitionEnumerator(
                readers, new Partitions(partitions), spec, PartitionEnumeratorState.nothingKnown());
    }

    private record Partitions(int count) implements PartitionLookup {
        @Override
        public Map<Integer, Position> ends(int from) {
            Map<Integer, Position> ends = new HashMap<>();
            for (int partition = from; partition < count; partition++) {
                ends.put(partition, END);
            }
            return ends;
        }

        @Override
        public void close() {}
    }

    /** Flink as the enumerator sees it: what it was asked for happens at once, on the test's thread. */
    private static final class Readers implements SplitEnumeratorContext<PartitionSplit> {
        private final int parallelism;
        private final Map<Integer, List<PartitionSplit>> registered = new HashMap<>();
        private final List<String> events = new ArrayList<>();
        private final List<String> assignments = new ArrayList<>();

        Readers(int parallelism) {
            this.parallelism = parallelism;
        }

        void register(PartitionEnumerator enumerator, int subtask) {
            registered.put(subtask, new ArrayList<>());
            enumerator.addReader(subtask);
        }

        /** The splits that the reader had. */
        List<PartitionSplit> fail(int subtask) {
            return registered.remove(subtask);
        }

        List<String> takeEvents() {
            List<String> taken = List.copyOf(events);
            events.clear();
            return taken;
        }

        List<String> assignments() {
            return List.copyOf(assignments);
        }

        @Override
        public SplitEnumeratorMetricGroup metricGroup() {
            return UnregisteredMetricsGroup.createSplitEnumeratorMetricGroup();
        }

        @Override
        public void sendEventToSourceReader(int subtask, SourceEvent event) {
            events.add(event + " for " + subtask);
        }

        @Override
        public int currentParallelism() {
            return parallelism;
        }

        @Override
        public Map<Integer, ReaderInfo> registeredReaders() {
            Map<Integer, ReaderInfo> infos = new HashMap<>();
            registered.keySet().forEach(subtask -> infos.put(subtask, new ReaderInfo(subtask, "localhost")));
            return infos;
        }

        @Override
        public void assignSplits(SplitsAssignment<PartitionSplit> assignment) {
            assignment.assignment().forEach((subtask, splits) -> {
                registered.get(subtask).addAll(splits);
                List<Integer> partitions =
                        splits.stream().map(PartitionSplit::partition).toList();
                assignments.add("partitions " + partitions + " for " + subtask);
                partitions.forEach(partition -> events.add("partition " + partition + " for " + subtask));
            });
        }

        @Override
        public void signalNoMoreSplits(int subtask) {
            events.add("no more splits for " + subtask);
        }

        @Override
        public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
            T value;
            try {
                value = callable.call();
            } catch (Exception e) {
                handler.accept(null, e);
                return;
            }
            handler.accept(value, null);
        }

        @Override
        public <T> void callAsync(
                Callable<T> callable, BiConsumer<T, Throwable> handler, long initialDelayMillis, long periodMillis) {
            callAsync(callable, handler);
        }

        @Override
        public void runInCoordinatorThread(Runnable runnable) {
            runnable.run();
        }
    }
}
