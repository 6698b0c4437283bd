package dev.millrace.perf.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a process has used so far; on Linux from {@code /proc}, elsewhere CPU time only.
 *
 * @param cpu of all its threads since its start
 * @param residentBytes of its memory now; NaN where it is not known
 * @param writtenBytes that it has caused to be written to disks since its start (proc(5), write_bytes); NaN where it is not known
 */
public record ProcessUse(Duration cpu, double residentBytes, double writtenBytes) {

    /** Of those that are alive, by name. */
    public static Map<String, ProcessUse> of(Map<String, Long> pids) {
        Map<String, ProcessUse> uses = new LinkedHashMap<>();
        pids.forEach((name, pid) -> of(pid).ifPresent(use -> uses.put(name, use)));
        return uses;
    }

    /** Empty when there is no such process. */
    public static Optional<ProcessUse> of(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .map(cpu ->
                        new ProcessUse(cpu, number(pid, "status", "VmRSS:") * 1024, number(pid, "io", "write_bytes:")));
    }

    /** The first number behind {@code key} in a file of the process's folder; NaN when there is none. */
    private static double number(long pid, String file, String key) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), file)).stream()
                    .filter(line -> line.startsWith(key))
                    .map(line -> line.substring(key.length()).strip().split("\\s+")[0])
                    .mapToDouble(Double::parseDouble)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            // No Linux, no right to look, or the process has just ended.
            return Double.NaN;
        }
    }
}
