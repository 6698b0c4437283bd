package dev.millrace.perf.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/** Which processors of the machine a process may run on; on Linux from {@code /proc}. */
public final class ProcessorSet {
    private static final String KEY = "Cpus_allowed_list:";

    private ProcessorSet() {}

    /** Of a process, by the kernel's numbers; empty where that is not known. */
    public static BitSet of(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .filter(line -> line.startsWith(KEY))
                    .map(line -> parse(line.substring(KEY.length())))
                    .findFirst()
                    .orElseGet(BitSet::new);
        } catch (IOException e) {
            // No Linux, or the process has just ended.
            return new BitSet();
        }
    }

    /** A list of the kernel's, such as {@code 0-2,5}. */
    static BitSet parse(String list) {
        BitSet set = new BitSet();
        for (String range : list.strip().split(",")) {
            String[] ends = range.split("-");
            set.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
        }
        return set;
    }
}
