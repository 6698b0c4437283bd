package dev.millrace.connectors.api.store;

import java.io.Serializable;

/**
 * Rows that become visible together, cut by one subtask of the sink between two checkpoints; what travels through the
 * checkpoint and is inserted when it has completed.
 *
 * @param token made when the block is cut; the store takes a token once, however often it is sent
 * @param writer the subtask that cut it, from 0
 * @param writers how many subtasks there were
 * @param watermark epoch milliseconds: every row of that subtask whose window (or {@code as_of}) ends by {@code watermark + 1} is
 *     in this block or in one before it
 * @param rows how many rows {@code bytes} holds; 0 is a block that only reports the watermark
 * @param bytes the rows as {@link RowBinary}
 */
public record StoreBlock(
        StoreTable table, String token, int writer, int writers, long watermark, int rows, byte[] bytes)
        implements Serializable {

    StoreBlock withBytes(byte[] others) {
        return new StoreBlock(table, token, writer, writers, watermark, rows, others);
    }
}
