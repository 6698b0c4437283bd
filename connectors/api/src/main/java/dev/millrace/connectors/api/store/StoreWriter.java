package dev.millrace.connectors.api.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;

/**
 * Gathers rows into blocks, some in memory and the rest in files. Used by one thread; keeps no state of its own: at a checkpoint
 * everything is in blocks.
 */
final class StoreWriter<T> implements CommittingSinkWriter<T, PendingBlock> {
    private final StoreTable table;
    private final StoreSink.RowEncoder<T> rowEncoder;
    private final int blockRows;
    private final Optional<BlockFiles> files;
    private final int memoryBytes;
    private final int writer;
    private final int writers;
    private final RowBinary.Encoder encoder = new RowBinary.Encoder(64 << 10);
    private final List<PendingBlock> kept = new ArrayList<>();
    private long keptBytes;
    private long watermark = Long.MIN_VALUE;
    private long reportedWatermark = Long.MIN_VALUE;

    /**
     * @param files where blocks go when those of this interval take {@code memoryBytes}; nothing: all stay in memory
     */
    StoreWriter(
            StoreTable table,
            StoreSink.RowEncoder<T> rowEncoder,
            int blockRows,
            Optional<BlockFiles> files,
            int memoryBytes,
            int writer,
            int writers) {
        this.table = table;
        this.rowEncoder = rowEncoder;
        this.blockRows = blockRows;
        this.files = files;
        this.memoryBytes = memoryBytes;
        this.writer = writer;
        this.writers = writers;
    }

    @Override
    public void write(T row, Context context) {
        rowEncoder.encode(row, encoder);
        if (encoder.rows() >= blockRows || encoder.size() >= StoreSink.BLOCK_BYTES) {
            // Rows of the same watermark may follow in the next block, so this one still reports the one before.
            kept.add(pending(cut(reportedWatermark)));
        }
    }

    private PendingBlock pending(StoreBlock block) {
        if (files.isEmpty() || keptBytes + block.bytes().length <= memoryBytes) {
            keptBytes += block.bytes().length;
            return PendingBlock.inMemory(block);
        }
        return new PendingBlock(block.withBytes(new byte[0]), files.get().write(block.token(), block.bytes()));
    }

    @Override
    public void writeWatermark(Watermark mark) {
        watermark = Math.max(watermark, mark.getTimestamp());
    }

    @Override
    public void flush(boolean endOfInput) {
        if (endOfInput) {
            watermark = Long.MAX_VALUE;
        }
    }

    @Override
    public List<PendingBlock> prepareCommit() {
        boolean moved = table.reportsProgress() && watermark > reportedWatermark;
        if (encoder.rows() > 0 || moved) {
            kept.add(pending(cut(watermark)));
            reportedWatermark = watermark;
        }
        List<PendingBlock> blocks = new ArrayList<>(kept);
        kept.clear();
        keptBytes = 0;
        return blocks;
    }

    private StoreBlock cut(long reported) {
        int rows = encoder.rows();
        return new StoreBlock(table, UUID.randomUUID().toString(), writer, writers, reported, rows, encoder.take());
    }

    /** Of an attempt that failed: no checkpoint has what {@link #prepareCommit} has not handed out. */
    @Override
    public void close() {
        kept.stream().filter(PendingBlock::isInFile).map(PendingBlock::file).forEach(BlockFiles::delete);
        kept.clear();
    }
}
