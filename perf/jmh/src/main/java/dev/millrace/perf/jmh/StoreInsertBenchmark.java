package dev.millrace.perf.jmh;

import com.clickhouse.client.api.Client;
import com.clickhouse.client.api.insert.InsertResponse;
import com.clickhouse.client.api.insert.InsertSettings;
import com.clickhouse.data.ClickHouseFormat;
import dev.millrace.connectors.api.store.PendingBlock;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.connectors.api.store.RowColumns;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreSink;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.core.settings.Options;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeviceWindow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.TaskInfoImpl;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.InitContext;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A block of windows into a ClickHouse server that is named by {@code -p url=http://HOST:8123}: by the sink, from rows on, through its
 * checkpoint's bytes; and by the official client alone, from the finished block on. An operation is a ROW.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(StoreInsertBenchmark.ROWS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 7, time = 3)
public class StoreInsertBenchmark {
    static final int ROWS = 50_000;
    private static final long WINDOW_END = 1_750_000_010_000L;
    private static final String DATABASE = "millrace_benchmark";
    private static final List<String> COLUMNS = RowColumns.of(StoreTable.WINDOWS).stream()
            .map(RowColumns.Column::name)
            .toList();

    @Param("http://127.0.0.1:8123")
    public String url;

    private final List<DeviceWindow> windows = new ArrayList<>();
    private byte[] block;
    private Client client;
    private ResultStore store;
    private Options options;
    private CommittingSinkWriter<DeviceWindow, PendingBlock> writer;
    private Committer<PendingBlock> committer;
    private SimpleVersionedSerializer<PendingBlock> serializer;
    private long watermark;

    @Setup
    public void setUp() throws IOException {
        RowBinary.Encoder encoder = new RowBinary.Encoder(1 << 20);
        for (int i = 0; i < ROWS; i++) {
            DeviceWindow window = window(i);
            windows.add(window);
            encoder.add(window);
        }
        block = encoder.take();
        store = ResultStores.named("clickhouse");
        options = Options.of(Map.of("url", url, "database", DATABASE));
        client = new Client.Builder()
                .addEndpoint(url)
                .setUsername("default")
                .setPassword(System.getenv().getOrDefault("MILLRACE_STORE_PASSWORD", ""))
                .compressServerResponse(false)
                .compressClientRequest(true)
                .build();
        StoreSink<DeviceWindow> sink = StoreSink.windows("clickhouse", options).withBlockRows(ROWS);
        writer = sink.createWriter(context(WriterInitContext.class));
        committer = sink.createCommitter(context(CommitterInitContext.class));
        serializer = sink.getCommittableSerializer();
    }

    private static DeviceWindow window(int device) {
        Random random = new Random(device);
        Accumulator values = new Accumulator();
        values.readings = 100;
        for (int i = 0; i < values.min.length; i++) {
            values.min[i] = random.nextInt(1 << 20) / 1024.0;
            values.max[i] = values.min[i] + 1;
            values.sum[i] = values.min[i] * 100;
        }
        values.packetsSent = random.nextInt();
        values.bytesSent = random.nextInt();
        values.latestIntendedSendTime = WINDOW_END * 1000;
        return new DeviceWindow(String.format("device-%07d", device), WINDOW_END - 10_000, WINDOW_END, values);
    }

    /** Writer and committer ask it only which of how many they are. */
    private static <C extends InitContext> C context(Class<C> type) {
        return type.cast(Proxy.newProxyInstance(
                StoreInsertBenchmark.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        method.getName().equals("getTaskInfo") ? new TaskInfoImpl("sink", 1, 0, 1, 0) : null));
    }

    /** Both insert into a table of the same size. */
    @Setup(Level.Iteration)
    public void emptyTable() {
        store.drop(options);
        try (StoreClient tables = store.connect(options)) {
            tables.prepare();
        }
    }

    @TearDown
    public void tearDown() throws Exception {
        writer.close();
        committer.close();
        store.drop(options);
        client.close();
    }

    @Benchmark
    public Object sink() throws Exception {
        for (DeviceWindow window : windows) {
            writer.write(window, null);
        }
        writer.writeWatermark(new Watermark(++watermark));
        List<Committer.CommitRequest<PendingBlock>> requests = new ArrayList<>();
        for (PendingBlock cut : writer.prepareCommit()) {
            byte[] stored = serializer.serialize(cut);
            requests.add(new Request(serializer.deserialize(serializer.getVersion(), stored)));
        }
        committer.commit(requests);
        return requests;
    }

    @Benchmark
    public Object baseline() throws Exception {
        InsertSettings how = new InsertSettings()
                .setDatabase(DATABASE)
                .setDeduplicationToken(UUID.randomUUID().toString())
                .serverSetting("async_insert", "0");
        try (InsertResponse answer = client.insert(
                        "windows", COLUMNS, new ByteArrayInputStream(block), ClickHouseFormat.RowBinary, how)
                .get()) {
            return answer.getWrittenRows();
        }
    }

    /** A block whose checkpoint is complete. */
    private record Request(PendingBlock getCommittable) implements Committer.CommitRequest<PendingBlock> {
        @Override
        public int getNumberOfRetries() {
            return 0;
        }

        @Override
        public void signalFailedWithKnownReason(Throwable failure) {
            throw new IllegalStateException(failure);
        }

        @Override
        public void signalFailedWithUnknownReason(Throwable failure) {
            throw new IllegalStateException(failure);
        }

        @Override
        public void retryLater() {
            throw new IllegalStateException("the committer waits by itself");
        }

        @Override
        public void updateAndRetryLater(PendingBlock changed) {
            throw new IllegalStateException("a block does not change");
        }

        @Override
        public void signalAlreadyCommitted() {}
    }
}
