package dev.millrace.brokers.memory.log;

import java.util.ArrayList;
import java.util.List;

/** One partition: blocks from the oldest to the one that is written. Guarded by its topic. */
final class PartitionLog {
    private static final int BLOCK_BYTES_MAX = 1 << 20;
    private static final int BLOCK_BYTES_MIN = 64 << 10;
    private static final int BLOCK_BYTES_FIRST = 16 << 10;

    private final long retentionMillis;
    private long retentionBytes;
    private int blockBytes;
    private final List<Block> blocks = new ArrayList<>();
    private long keptBytes;
    private long endOffset;

    /** @param retentionBytes of this partition; -1 keeps everything */
    PartitionLog(long retentionBytes, long retentionMillis) {
        this.retentionMillis = retentionMillis;
        retentionBytes(retentionBytes);
    }

    /** From now on; what is more goes with the next {@link #retain}. */
    void retentionBytes(long bytes) {
        retentionBytes = bytes;
        blockBytes = blockBytes(bytes);
    }

    private static int blockBytes(long retentionBytes) {
        return retentionBytes < 0
                ? BLOCK_BYTES_MAX
                : (int) Math.max(BLOCK_BYTES_MIN, Math.min(BLOCK_BYTES_MAX, retentionBytes / 8));
    }

    /** What a partition comes to before retention takes the oldest block; of a bounded one. */
    static long mostBytes(long retentionBytes) {
        return retentionBytes + blockBytes(retentionBytes);
    }

    long startOffset() {
        return blocks.isEmpty() ? endOffset : blocks.get(0).firstOffset();
    }

    long endOffset() {
        return endOffset;
    }

    long keptBytes() {
        return keptBytes;
    }

    /** Appends a segment, over as many blocks as it takes: what is left free in one is lost to all. The offset of its first record. */
    long append(Segment segment, long nowMillis) {
        long offset = endOffset;
        for (int from = 0; from < segment.records(); ) {
            Block block = blocks.isEmpty() ? null : blocks.get(blocks.size() - 1);
            int to = block == null ? from : segment.fitting(from, blockBytes - block.keptBytes());
            if (to == from) {
                block = add(segment.end(from) - segment.end(from - 1));
                to = Math.max(from + 1, segment.fitting(from, blockBytes));
            }
            long before = block.keptBytes();
            block.append(segment, from, to, nowMillis);
            endOffset = block.endOffset();
            keptBytes += block.keptBytes() - before;
            from = to;
        }
        return offset;
    }

    private Block add(int firstBytes) {
        boolean first = blocks.isEmpty();
        if (!first) {
            blocks.get(blocks.size() - 1).trim();
        }
        Block block = new Block(
                endOffset,
                Math.max(firstBytes, first ? BLOCK_BYTES_FIRST : blockBytes),
                first ? 64 : blockBytes / 256,
                blockBytes);
        blocks.add(block);
        return block;
    }

    /** Drops whole blocks that retention no longer asks for; never the one that is written. */
    void retain(long nowMillis) {
        while (blocks.size() > 1) {
            Block oldest = blocks.get(0);
            boolean overBytes = retentionBytes >= 0 && keptBytes - oldest.keptBytes() >= retentionBytes;
            boolean overTime = nowMillis - oldest.lastAppendMillis() > retentionMillis;
            if (!overBytes && !overTime) {
                return;
            }
            keptBytes -= oldest.keptBytes();
            blocks.remove(0);
        }
    }

    /** Writes records from {@code offset}, which must be there; all of one block. */
    void write(FrameWriter out, long offset, long stop, int maxBytes) {
        int low = 0;
        int high = blocks.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (blocks.get(middle).firstOffset() <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        blocks.get(low).write(out, offset, stop, maxBytes);
    }
}
