package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.reader.ChunkPool;

/** The arrays of all readers of this process: whoever decompresses an entry does not know whose it is. */
final class EntryArrays {
    static final ChunkPool POOL = new ChunkPool();

    private EntryArrays() {}
}
