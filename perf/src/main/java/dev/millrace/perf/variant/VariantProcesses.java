package dev.millrace.perf.variant;

import dev.millrace.deploy.local.Installation;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** The processes of a broker's variants, each started when it is first asked for and stopped with all others. */
public final class VariantProcesses implements AutoCloseable {
    /**
     * As much as no variant needs at a size that people begin with; alike for all of them. They are all there at once, beside a
     * topic that must stay in the page cache.
     */
    public static final long HEAP_BYTES = 1L << 30;

    private final Installation installation;
    private final String broker;
    private final long heapBytes;
    private final Path folder;
    private final Map<Variant, VariantProcess> processes = new EnumMap<>(Variant.class);

    /**
     * @param heapBytes of each process
     * @param folder in which each has its own, for its log and temporary files
     */
    public VariantProcesses(Installation installation, String broker, long heapBytes, Path folder) {
        this.installation = installation;
        this.broker = broker;
        this.heapBytes = heapBytes;
        this.folder = folder;
    }

    public VariantProcess of(Variant variant) {
        return processes.computeIfAbsent(
                variant, one -> VariantProcess.start(one, installation, broker, heapBytes, folder.resolve(one.word())));
    }

    @Override
    public void close() {
        processes.values().forEach(VariantProcess::close);
    }
}
