package dev.millrace.core.window;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Reading;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Two partitions, both assigned at the start to one reader, which drains one after the other. */
final class DrainedSource implements Source<PayloadChunk, DrainedSource.Split, Integer> {
    static final int PARTITIONS = 2;
    static final int READINGS = 10_000;
    static final int CHUNK_READINGS = 10;

    record Split(int partition) implements SourceSplit {
        @Override
        public String splitId() {
            return Integer.toString(partition);
        }
    }

    /** 100 readings of each partition are one second. */
    static Reading reading(int partition, int n) {
        return Samples.reading("device-" + partition, n, n * 10L);
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SourceReader<PayloadChunk, Split> createReader(SourceReaderContext context) {
        return new Reader();
    }

    @Override
    public SplitEnumerator<Split, Integer> createEnumerator(SplitEnumeratorContext<Split> context) {
        return new Enumerator(context);
    }

    @Override
    public SplitEnumerator<Split, Integer> restoreEnumerator(SplitEnumeratorContext<Split> context, Integer state) {
        return new Enumerator(context);
    }

    @Override
    public SimpleVersionedSerializer<Split> getSplitSerializer() {
        return new NumberSerializer<>() {
            @Override
            public byte[] serialize(Split split) {
                return new byte[] {(byte) split.partition()};
            }

            @Override
            public Split deserialize(int version, byte[] bytes) {
                return new Split(bytes[0]);
            }
        };
    }

    @Override
    public SimpleVersionedSerializer<Integer> getEnumeratorCheckpointSerializer() {
        return new NumberSerializer<>() {
            @Override
            public byte[] serialize(Integer number) {
                return new byte[] {number.byteValue()};
            }

            @Override
            public Integer deserialize(int version, byte[] bytes) {
                return (int) bytes[0];
            }
        };
    }

    private abstract static class NumberSerializer<T> implements SimpleVersionedSerializer<T> {
        @Override
        public int getVersion() {
            return 1;
        }
    }

    private record Enumerator(SplitEnumeratorContext<Split> context) implements SplitEnumerator<Split, Integer> {
        @Override
        public void start() {}

        @Override
        public void handleSplitRequest(int subtask, String host) {}

        @Override
        public void addSplitsBack(List<Split> splits, int subtask) {}

        @Override
        public void addReader(int subtask) {
            if (subtask == 0) {
                // In one event: the reader might be through with the first split before it knew of the second.
                List<Split> all =
                        IntStream.range(0, PARTITIONS).mapToObj(Split::new).toList();
                context.assignSplits(new SplitsAssignment<>(Map.of(0, all)));
            }
            context.signalNoMoreSplits(subtask);
        }

        @Override
        public Integer snapshotState(long checkpointId) {
            return 0;
        }

        @Override
        public void close() {}
    }

    private static final class Reader implements SourceReader<PayloadChunk, Split> {
        private final CompletableFuture<Void> available = new CompletableFuture<>();
        private final List<Split> splits = new ArrayList<>();
        private boolean noMore;
        private int next;

        @Override
        public void start() {}

        @Override
        public InputStatus pollNext(ReaderOutput<PayloadChunk> output) {
            if (splits.isEmpty()) {
                return noMore ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
            }
            Split split = splits.get(0);
            if (next == READINGS) {
                output.releaseOutputForSplit(split.splitId());
                splits.remove(0);
                next = 0;
                return InputStatus.MORE_AVAILABLE;
            }
            List<dev.millrace.core.reading.Reading> readings = new ArrayList<>();
            for (int i = 0; i < CHUNK_READINGS; i++) {
                readings.add(reading(split.partition(), next++));
            }
            output.createOutputForSplit(split.splitId())
                    .collect(Samples.chunk(split.partition(), next - CHUNK_READINGS, readings));
            return InputStatus.MORE_AVAILABLE;
        }

        @Override
        public List<Split> snapshotState(long checkpointId) {
            return List.copyOf(splits);
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return available;
        }

        @Override
        public void addSplits(List<Split> added) {
            splits.addAll(added);
            available.complete(null);
        }

        @Override
        public void pauseOrResumeSplits(Collection<String> pause, Collection<String> resume) {}

        @Override
        public void notifyNoMoreSplits() {
            noMore = true;
            available.complete(null);
        }

        @Override
        public void close() {}
    }
}
