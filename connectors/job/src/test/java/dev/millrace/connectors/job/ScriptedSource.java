package dev.millrace.connectors.job;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.ReadingEncoder;
import dev.millrace.core.reading.Status;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** Two partitions of chunks, one chunk every so many milliseconds; a partition's readings are a function of their number. */
final class ScriptedSource implements Source<PayloadChunk, ScriptedSource.Split, List<ScriptedSource.Split>> {
    static final int PARTITIONS = 2;
    static final int CHUNK_READINGS = 20;
    static final int DEVICES = 5;
    static final long START = 1_700_000_000_000L;
    static final long EVERY_MILLIS = 20;

    private final int chunks;
    private final long pauseMillis;
    private final String failsBeside;

    /** @param failsBeside while a file of this name is there its job fails so that Flink gives it up; empty: never */
    ScriptedSource(int chunks, long pauseMillis, String failsBeside) {
        this.chunks = chunks;
        this.pauseMillis = pauseMillis;
        this.failsBeside = failsBeside;
    }

    record Split(int partition, int nextChunk) implements SourceSplit {
        @Override
        public String splitId() {
            return "partition-" + partition;
        }
    }

    static void fill(Reading reading, int partition, int n) {
        reading.deviceId = "device-" + partition + "-" + n % DEVICES;
        reading.sequence = n / DEVICES;
        reading.eventTime = START + n * EVERY_MILLIS;
        reading.measures[0] = -n / 1024.0;
        reading.status = n % Status.COUNT;
        reading.errorCount = n % 3;
    }

    private static PayloadChunk chunk(int partition, int number, boolean last) {
        ReadingEncoder encoder = new ReadingEncoder();
        Reading reading = new Reading();
        int[] ends = new int[CHUNK_READINGS];
        long[] timestamps = new long[CHUNK_READINGS];
        long[] positions = new long[CHUNK_READINGS];
        for (int i = 0; i < CHUNK_READINGS; i++) {
            int n = number * CHUNK_READINGS + i;
            fill(reading, partition, n);
            ends[i] = encoder.append(reading);
            timestamps[i] = reading.eventTime;
            positions[i] = n;
        }
        return new PayloadChunk(partition, CHUNK_READINGS, encoder.toByteArray(), ends, timestamps, 0, positions, last);
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SourceReader<PayloadChunk, Split> createReader(SourceReaderContext context) {
        return new Reader(chunks, pauseMillis, failsBeside);
    }

    @Override
    public SplitEnumerator<Split, List<Split>> createEnumerator(SplitEnumeratorContext<Split> context) {
        List<Split> splits = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            splits.add(new Split(partition, 0));
        }
        return new Enumerator(context, splits);
    }

    @Override
    public SplitEnumerator<Split, List<Split>> restoreEnumerator(
            SplitEnumeratorContext<Split> context, List<Split> left) {
        return new Enumerator(context, left);
    }

    @Override
    public SimpleVersionedSerializer<Split> getSplitSerializer() {
        return new SimpleVersionedSerializer<>() {
            @Override
            public int getVersion() {
                return 1;
            }

            @Override
            public byte[] serialize(Split split) {
                return ByteBuffer.allocate(8)
                        .putInt(split.partition())
                        .putInt(split.nextChunk())
                        .array();
            }

            @Override
            public Split deserialize(int version, byte[] bytes) {
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                return new Split(buffer.getInt(), buffer.getInt());
            }
        };
    }

    @Override
    public SimpleVersionedSerializer<List<Split>> getEnumeratorCheckpointSerializer() {
        return new SimpleVersionedSerializer<>() {
            @Override
            public int getVersion() {
                return 1;
            }

            @Override
            public byte[] serialize(List<Split> splits) {
                ByteBuffer buffer = ByteBuffer.allocate(8 * splits.size());
                splits.forEach(split -> buffer.putInt(split.partition()).putInt(split.nextChunk()));
                return buffer.array();
            }

            @Override
            public List<Split> deserialize(int version, byte[] bytes) {
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                List<Split> splits = new ArrayList<>();
                while (buffer.hasRemaining()) {
                    splits.add(new Split(buffer.getInt(), buffer.getInt()));
                }
                return splits;
            }
        };
    }

    private static final class Enumerator implements SplitEnumerator<Split, List<Split>> {
        private final SplitEnumeratorContext<Split> context;
        private final List<Split> left;

        Enumerator(SplitEnumeratorContext<Split> context, List<Split> left) {
            this.context = context;
            this.left = new ArrayList<>(left);
        }

        @Override
        public void start() {}

        @Override
        public void handleSplitRequest(int subtask, String host) {}

        @Override
        public void addSplitsBack(List<Split> splits, int subtask) {
            left.addAll(splits);
        }

        @Override
        public void addReader(int subtask) {
            for (Split split : List.copyOf(left)) {
                if (split.partition() % context.currentParallelism() == subtask) {
                    left.remove(split);
                    context.assignSplit(split, subtask);
                }
            }
            context.signalNoMoreSplits(subtask);
        }

        @Override
        public List<Split> snapshotState(long checkpointId) {
            return List.copyOf(left);
        }

        @Override
        public void close() {}
    }

    private static final class Reader implements SourceReader<PayloadChunk, Split> {
        private final int chunks;
        private final String failsBeside;
        private final Executor pause;
        private final List<Split> splits = new ArrayList<>();
        private CompletableFuture<Void> available = new CompletableFuture<>();
        private boolean noMore;

        Reader(int chunks, long pauseMillis, String failsBeside) {
            this.chunks = chunks;
            this.failsBeside = failsBeside;
            this.pause = CompletableFuture.delayedExecutor(pauseMillis, TimeUnit.MILLISECONDS);
        }

        @Override
        public void start() {}

        @Override
        public InputStatus pollNext(ReaderOutput<PayloadChunk> output) {
            if (!available.isDone()) {
                return InputStatus.NOTHING_AVAILABLE;
            }
            if (!failsBeside.isEmpty() && Files.exists(Path.of(failsBeside))) {
                throw new SuppressRestartsException(new IllegalStateException("there is " + failsBeside));
            }
            for (Split split : List.copyOf(splits)) {
                splits.remove(split);
                boolean last = split.nextChunk() + 1 == chunks;
                if (split.nextChunk() < chunks) {
                    output.createOutputForSplit(split.splitId())
                            .collect(chunk(split.partition(), split.nextChunk(), last));
                    splits.add(new Split(split.partition(), split.nextChunk() + 1));
                } else {
                    output.releaseOutputForSplit(split.splitId());
                }
            }
            if (splits.isEmpty() && noMore) {
                return InputStatus.END_OF_INPUT;
            }
            CompletableFuture<Void> next = new CompletableFuture<>();
            pause.execute(() -> next.complete(null));
            available = next;
            return InputStatus.NOTHING_AVAILABLE;
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
