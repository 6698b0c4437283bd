package dev.millrace.connectors.api.store;

import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.settings.Options;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.io.Serializable;
import java.util.Optional;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Rows into any store, exactly once: the writer cuts {@link StoreBlock}s, they travel through the checkpoint, and the committer
 * inserts each, with the token it was cut with, when that checkpoint has completed. A block that is sent again after a failure
 * carries the same token, and the store takes a token once. Nothing is swallowed: a block that the store will not take fails
 * the job.
 *
 * <p>Of the rows of one checkpoint interval a mebibyte is on the writer's heap; with {@link #withFilesIn} the others wait in files.
 */
public final class StoreSink<T> implements Sink<T>, SupportsCommitter<PendingBlock> {

    /** Rows of a block at most, unless told otherwise. */
    public static final int BLOCK_ROWS = 50_000;

    /** A block is cut when it has reached this many bytes; its last row may stand out. */
    public static final int BLOCK_BYTES = 8 << 20;

    /**
     * Blocks of one checkpoint interval that a writer keeps on its heap. They travel inside the checkpoint, for which Flink 1.20
     * serializes each of them eight times on the task's thread ({@code SimpleVersionedSerialization.writeVersionAndSerializeList}
     * calls its serializer twice, and three lists are nested), so these are few.
     */
    public static final int MEMORY_BYTES = 1 << 20;

    /** How one row becomes bytes. */
    interface RowEncoder<T> extends Serializable {
        void encode(T row, RowBinary.Encoder encoder);
    }

    private final StoreTable table;
    private final String store;
    private final Options options;
    private final RowEncoder<T> rowEncoder;
    private final int blockRows;
    private final String directory;
    private final int memoryBytes;

    private StoreSink(StoreTable table, String store, Options options, RowEncoder<T> rowEncoder) {
        this(table, store, options, rowEncoder, BLOCK_ROWS, "", MEMORY_BYTES);
    }

    private StoreSink(
            StoreTable table,
            String store,
            Options options,
            RowEncoder<T> rowEncoder,
            int blockRows,
            String directory,
            int memoryBytes) {
        if (blockRows < 1) {
            throw new IllegalArgumentException("a block of " + blockRows + " rows");
        }
        this.table = table;
        this.store = store;
        this.options = options;
        this.rowEncoder = rowEncoder;
        this.blockRows = blockRows;
        this.directory = directory;
        this.memoryBytes = memoryBytes;
    }

    /**
     * The sink of the windows table. Its blocks also report how far the table is complete: a checkpoint at which the watermark
     * has moved cuts a block even when there is no row.
     *
     * @param store the store's name; it is looked up on the task, by way of the context class loader
     * @param options what {@link ResultStore#connect} takes
     */
    public static StoreSink<DeviceWindow> windows(String store, Options options) {
        return new StoreSink<>(StoreTable.WINDOWS, store, options, (row, encoder) -> encoder.add(row));
    }

    /** The sink of the latest times table, whose blocks report as {@link #windows}' do. */
    public static StoreSink<LatestTime> latestTimes(String store, Options options) {
        return new StoreSink<>(StoreTable.LATEST_TIMES, store, options, (row, encoder) -> encoder.add(row));
    }

    /** The sink of the dead letters table. */
    public static StoreSink<DeadLetter> deadLetters(String store, Options options) {
        return new StoreSink<>(StoreTable.DEAD_LETTERS, store, options, (row, encoder) -> encoder.add(row));
    }

    /** This sink with blocks of at most that many rows. */
    public StoreSink<T> withBlockRows(int rows) {
        return new StoreSink<>(table, store, options, rowEncoder, rows, directory, memoryBytes);
    }

    /**
     * This sink with files for what its memory does not hold.
     *
     * @param uri a directory that every TaskManager can write and that lives as long as the checkpoints; empty: no files, all rows
     *     of a checkpoint interval are on the heap
     * @param bytes how much of an interval's blocks a writer keeps on its heap; {@link #MEMORY_BYTES} unless there is a reason
     */
    public StoreSink<T> withFilesIn(String uri, int bytes) {
        return new StoreSink<>(table, store, options, rowEncoder, blockRows, uri, bytes);
    }

    private Optional<BlockFiles> files() {
        return directory.isEmpty() ? Optional.empty() : Optional.of(new BlockFiles(directory + "/" + table.sqlName()));
    }

    @Override
    @SuppressWarnings("deprecation") // abstract in 1.20, and never called when the other one is there
    public CommittingSinkWriter<T, PendingBlock> createWriter(InitContext context) {
        throw new UnsupportedOperationException("Flink 1.20 calls createWriter(WriterInitContext)");
    }

    @Override
    public CommittingSinkWriter<T, PendingBlock> createWriter(WriterInitContext context) {
        return new StoreWriter<>(
                table,
                rowEncoder,
                blockRows,
                files(),
                memoryBytes,
                context.getTaskInfo().getIndexOfThisSubtask(),
                context.getTaskInfo().getNumberOfParallelSubtasks());
    }

    @Override
    public Committer<PendingBlock> createCommitter(CommitterInitContext context) {
        boolean first = context.getTaskInfo().getIndexOfThisSubtask() == 0;
        return new StoreCommitter(store, options, first ? files() : Optional.empty());
    }

    @Override
    public SimpleVersionedSerializer<PendingBlock> getCommittableSerializer() {
        return new PendingBlockSerializer();
    }
}
