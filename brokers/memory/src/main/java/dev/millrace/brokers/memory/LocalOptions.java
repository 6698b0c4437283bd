package dev.millrace.brokers.memory;

import dev.millrace.core.settings.Options;
import java.util.HashMap;
import java.util.Map;

/**
 * How a local server is started.
 *
 * @param port 0: the well-known one, else the next free one
 * @param memoryBytes of the whole process
 * @param inProcess whether the server runs inside this process
 * @param clients what its clients are told beside its address
 */
record LocalOptions(int port, long memoryBytes, boolean inProcess, Map<String, String> clients) {
    static final int WELL_KNOWN_PORT = 4750;

    /** What the Java process takes beyond its heap. */
    private static final long BEYOND_HEAP_BYTES = 160L << 20;

    private static final long MEMORY_BYTES_MIN = 256L << 20;
    private static final long YOUNG_BYTES_MAX = 64L << 20;
    private static final long MEMORY_BYTES_DEFAULT = 1536L << 20;

    static LocalOptions bind(Options options) {
        return options.bind("local broker 'memory'", binder -> {
            LocalOptions bound = new LocalOptions(
                    (int) binder.integer("port", 0, 0, 65_535),
                    binder.bytes("memory", MEMORY_BYTES_DEFAULT),
                    binder.flag("in-process", false),
                    MemoryOptions.held(options, binder));
            if (bound.memoryBytes < MEMORY_BYTES_MIN) {
                binder.problem("'memory' is " + bound.memoryBytes + "; it must be at least 256MiB");
            }
            return bound;
        });
    }

    /** For a client of the server at {@code address}. */
    Options client(String address) {
        Map<String, String> values = new HashMap<>(clients);
        values.put("address", address);
        return Options.of(values);
    }

    long heapBytes() {
        return memoryBytes - BEYOND_HEAP_BYTES;
    }

    /** Of the heap, for what is on its way. */
    long youngBytes() {
        return Math.min(YOUNG_BYTES_MAX, heapBytes() / 5);
    }

    /** What all topics together may keep: of a small heap less than of a large one, for it must fit the old generation. */
    long budgetBytes() {
        return Math.min(InProcess.budgetBytes(heapBytes()), (heapBytes() - youngBytes()) / 10 * 9);
    }
}
