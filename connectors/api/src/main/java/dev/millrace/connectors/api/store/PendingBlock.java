package dev.millrace.connectors.api.store;

import java.io.Serializable;

/**
 * A block that waits for its checkpoint to complete.
 *
 * @param block with its bytes, or without them when they are in a file
 * @param file the file's path; empty when there is none
 */
public record PendingBlock(StoreBlock block, String file) implements Serializable {

    static PendingBlock inMemory(StoreBlock block) {
        return new PendingBlock(block, "");
    }

    boolean isInFile() {
        return !file.isEmpty();
    }
}
