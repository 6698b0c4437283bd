package dev.millrace.connectors.generator;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.broker.KeyPartitions;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;

/**
 * A broker of two files, one per partition, so that a generator in another process can be killed and what it had stored is
 * still there. Receipts come late, as asked for; a file called {@code outage} stops it from storing anything, and where one
 * called {@code removed} is, retention has removed what a subscriber would begin with.
 */
public final class FileBroker implements Broker {
    /** What a generator is told that sends to such a topic. */
    static Map<String, String> settings(Path topic, Path ledger) {
        return Map.of(
                "broker", "file",
                "broker.address", topic.toString(),
                "topic", "readings",
                "devices", "10",
                "directory", ledger.toString());
    }

    static final int PARTITIONS = 2;

    @Override
    public String name() {
        return "file";
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> Sink<T> sink(Options options, SinkSpec<T> spec) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LocalBroker startLocal(Path workDirectory, Options options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public BrokerClient connect(Options options) {
        return options.bind(
                "broker 'file'",
                binder -> new Client(
                        Path.of(binder.required("address", "a directory")),
                        binder.duration("receipt-delay", Duration.ZERO),
                        binder.integer("unknown-after", Long.MAX_VALUE, 0, Long.MAX_VALUE),
                        (int) binder.integer("largest", 1 << 20, 1, 1 << 30)));
    }

    /** The payloads of one partition, in order. */
    static List<byte[]> payloads(Path directory, int partition) {
        List<byte[]> payloads = new ArrayList<>();
        Path file = directory.resolve("partition-" + partition);
        if (!Files.exists(file)) {
            return payloads;
        }
        try (DataInputStream in = new DataInputStream(new java.io.BufferedInputStream(Files.newInputStream(file)))) {
            while (true) {
                byte[] payload = new byte[in.readInt()];
                in.readFully(payload);
                payloads.add(payload);
            }
        } catch (EOFException e) {
            return payloads; // a record cut off by a kill was never stored
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Client(Path directory, Duration receiptDelay, long unknownAfter, int largest)
            implements BrokerClient {
        @Override
        public void createTopic(TopicSpec spec) {}

        @Override
        public void deleteTopic(String topic) {}

        @Override
        public void addPartitions(String topic, int partitions) {}

        @Override
        public int partitions(String topic) {
            return PARTITIONS;
        }

        @Override
        public Publisher publisher(String topic, String name) {
            return new FilePublisher(this, name);
        }

        @Override
        public Subscriber subscriber(String topic, StartFrom startFrom) {
            Map<Integer, Position> from = ((StartFrom.At) startFrom).positions();
            if (Files.exists(directory.resolve("removed"))) {
                throw new EnvironmentException(
                        "positions " + from + " are no longer there: retention has removed them");
            }
            return new Subscriber() {
                private boolean read;

                @Override
                public List<PayloadChunk> poll(Duration timeout) {
                    if (read) {
                        return List.of();
                    }
                    read = true;
                    List<PayloadChunk> chunks = new ArrayList<>();
                    for (int p = 0; p < PARTITIONS; p++) {
                        Position first = from.getOrDefault(p, new Position(0, 0));
                        chunks.add(chunk(p, payloads(directory, p), (int) first.minor()));
                    }
                    return chunks;
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public GroupReader groupReader(String topic, String readerGroup, StartFrom startFrom) {
            throw new UnsupportedOperationException("the generator has no reader group");
        }

        @Override
        public Map<Integer, Position> endPositions(String topic) {
            Map<Integer, Position> ends = new HashMap<>();
            for (int p = 0; p < PARTITIONS; p++) {
                ends.put(p, new Position(0, payloads(directory, p).size()));
            }
            return ends;
        }

        @Override
        public long lag(String topic, String readerGroup) {
            return 0;
        }

        @Override
        public void deleteReaderGroup(String topic, String readerGroup) {}

        @Override
        public EffectiveSettings effectiveSettings(String topic) {
            return new EffectiveSettings("1", 1, "", EffectiveSettings.Sync.UNKNOWN, "", Map.of());
        }

        @Override
        public void close() {}

        private static PayloadChunk chunk(int partition, List<byte[]> payloads, int first) {
            int count = payloads.size() - first;
            int[] ends = new int[count];
            long[] minors = new long[count];
            ByteBuffer bytes = ByteBuffer.allocate(
                    payloads.stream().skip(first).mapToInt(p -> p.length).sum());
            for (int i = 0; i < count; i++) {
                bytes.put(payloads.get(first + i));
                ends[i] = bytes.position();
                minors[i] = first + i;
            }
            return new PayloadChunk(partition, count, bytes.array(), ends, new long[count], 0, minors, partition == 0);
        }
    }

    /** A partition's file, for all publishers of this process. */
    private static final class Log {
        private static final Map<Path, Log> OPEN = new HashMap<>();

        private final Path path;
        /** Not a channel, which an interrupt of one publisher would close for all. */
        private final RandomAccessFile file;

        private long count;
        private int publishers;

        private Log(Path path, List<byte[]> there) throws IOException {
            this.path = path;
            this.count = there.size();
            this.file = new RandomAccessFile(path.toFile(), "rw");
            file.setLength(there.stream().mapToLong(b -> b.length + 4L).sum());
            file.seek(file.length());
        }

        static Log open(Path directory, int partition) {
            Path path = directory.resolve("partition-" + partition);
            synchronized (OPEN) {
                try {
                    Log log = OPEN.containsKey(path) ? OPEN.get(path) : new Log(path, payloads(directory, partition));
                    log.publishers++;
                    OPEN.put(path, log);
                    return log;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        synchronized Position append(byte[] payload) throws IOException {
            ByteBuffer record = ByteBuffer.allocate(4 + payload.length);
            file.write(record.putInt(payload.length).put(payload).array());
            return new Position(0, count++);
        }

        void close() throws IOException {
            synchronized (OPEN) {
                if (--publishers == 0) {
                    OPEN.remove(path);
                    file.close();
                }
            }
        }
    }

    private record Pending(int partition, byte[] payload, Publisher.Receipt receipt) {}

    private static final class FilePublisher implements Publisher {
        /** As some brokers have it, one of a name at a time. */
        private static final Set<Path> CONNECTED = ConcurrentHashMap.newKeySet();

        private final Client client;
        private final Path connected;
        private final BlockingQueue<Pending> queue = new ArrayBlockingQueue<>(2000);
        private final AtomicLong withoutReceipt = new AtomicLong();
        private final List<Log> logs = new ArrayList<>();
        private final Thread thread = new Thread(this::store, "file-broker");
        private volatile boolean closed;
        private long stored;

        FilePublisher(Client client, String name) {
            this.client = client;
            this.connected = client.directory.resolve(name);
            if (!CONNECTED.add(connected)) {
                throw new EnvironmentException("another publisher of the name '" + name + "' is connected");
            }
            for (int p = 0; p < PARTITIONS; p++) {
                logs.add(Log.open(client.directory, p));
            }
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt) {
            withoutReceipt.incrementAndGet();
            boolean taken = queue.offer(new Pending(KeyPartitions.of(key, PARTITIONS), value, receipt));
            if (!taken) {
                withoutReceipt.decrementAndGet();
            }
            return taken;
        }

        @Override
        public boolean flush(Duration timeout) {
            long deadline = System.nanoTime() + timeout.toNanos();
            while (withoutReceipt.get() > 0 && System.nanoTime() < deadline) {
                LockSupport.parkNanos(1_000_000);
            }
            return withoutReceipt.get() == 0;
        }

        @Override
        public int largestPayloadBytes() {
            return client.largest;
        }

        @Override
        public void close() {
            closed = true;
            thread.interrupt();
            CONNECTED.remove(connected);
            try {
                thread.join(5000);
                for (Log log : logs) {
                    log.close();
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            queue.forEach(pending -> pending.receipt.unknown("closed"));
        }

        private void store() {
            List<Pending> batch = new ArrayList<>();
            try {
                while (!closed) {
                    Pending first = queue.poll(50, TimeUnit.MILLISECONDS);
                    if (first == null) {
                        continue;
                    }
                    batch.add(first);
                    queue.drainTo(batch, 499);
                    while (Files.exists(client.directory.resolve("outage")) && !closed) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                    }
                    Map<Pending, Position> positions = new HashMap<>();
                    for (Pending pending : batch) {
                        positions.put(pending, logs.get(pending.partition).append(pending.payload));
                    }
                    TimeUnit.NANOSECONDS.sleep(client.receiptDelay.toNanos());
                    for (Pending pending : batch) {
                        if (stored++ >= client.unknownAfter) {
                            pending.receipt.unknown("the connection was lost");
                        } else {
                            pending.receipt.stored(pending.partition, positions.get(pending));
                        }
                        withoutReceipt.decrementAndGet();
                    }
                    batch.clear();
                }
            } catch (InterruptedException | IOException e) {
                batch.forEach(pending -> pending.receipt.unknown("closed"));
            }
        }
    }
}
