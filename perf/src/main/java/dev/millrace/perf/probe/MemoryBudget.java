package dev.millrace.perf.probe;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A control group of Linux with a bound on memory: this process and all that it starts from now on have so much together, heap,
 * direct memory and page cache. A broker that lives off the page cache gets no more of it than its budget leaves. Both
 * versions of control groups are known (cgroups(7)). One at a time in a process.
 *
 * <p>Its memory is counted anew: pages that an earlier group read are not free for this one's brokers, whose data are new.
 */
public final class MemoryBudget implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final String NAME = "millrace-";
    private static final Pattern OF_PROCESS = Pattern.compile(NAME + "(\\d{1,18})-\\d+");
    /** So that one which something outlives does not stand in the way of the next. */
    private static final AtomicInteger ENTERED = new AtomicInteger();

    private static final String PROCESSES = "cgroup.procs";

    private final Path group;
    private final Path before;
    private final String peakFile;

    private MemoryBudget(Path group, Path before, String peakFile) {
        this.group = group;
        this.before = before;
        this.peakFile = peakFile;
    }

    /**
     * Enters a new group.
     *
     * @return empty where that takes rights that this process lacks, or there are no control groups
     */
    public static Optional<MemoryBudget> enter(long bytes) {
        Path first = ROOT.resolve("memory");
        return Files.isDirectory(first)
                ? enter(first, "memory.limit_in_bytes", "memory.max_usage_in_bytes", bytes)
                : enter(ROOT, "memory.max", "memory.peak", bytes);
    }

    /** Whether this process may enter such a group: enters one and leaves it. */
    public static boolean isPossible(long bytes) {
        Optional<MemoryBudget> entered = enter(bytes);
        entered.ifPresent(MemoryBudget::close);
        return entered.isPresent();
    }

    private static Optional<MemoryBudget> enter(Path root, String limitFile, String peakFile, long bytes) {
        long pid = ProcessHandle.current().pid();
        Path group = root.resolve(NAME + pid + "-" + ENTERED.incrementAndGet());
        try {
            removeLeft(root);
            Path before = root.resolve(own(root.equals(ROOT)).substring(1));
            Files.createDirectory(group);
            try {
                Files.writeString(group.resolve(limitFile), Long.toString(bytes));
                Files.writeString(group.resolve(PROCESSES), Long.toString(pid));
                return Optional.of(new MemoryBudget(group, before, peakFile));
            } catch (IOException e) {
                Files.delete(group);
                return Optional.empty();
            }
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Groups of processes that are gone and had no time to remove theirs. */
    private static void removeLeft(Path root) throws IOException {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(root, NAME + "*")) {
            for (Path left : groups) {
                Matcher name = OF_PROCESS.matcher(left.getFileName().toString());
                if (name.matches()
                        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
                    try {
                        Files.delete(left);
                    } catch (IOException e) {
                        // Something of its stack still runs in it.
                    }
                }
            }
        }
    }

    /** The path of this process's group, with a slash before it. */
    private static String own(boolean unified) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/cgroup"));
        return lines.stream()
                .filter(line -> unified ? line.startsWith("0::") : line.split(":")[1].equals("memory"))
                .map(line -> line.substring(line.indexOf('/', line.indexOf(':') + 1)))
                .findFirst()
                .orElse("/");
    }

    /** The most memory that the group ever had, bytes; empty where the kernel does not say. */
    public OptionalLong peakBytes() {
        try {
            return OptionalLong.of(
                    Long.parseLong(Files.readString(group.resolve(peakFile)).strip()));
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Goes back to where this process was. What still runs in the group keeps it, and its bound. */
    @Override
    public void close() {
        try {
            Files.writeString(
                    before.resolve(PROCESSES),
                    Long.toString(ProcessHandle.current().pid()));
            Files.delete(group);
        } catch (IOException e) {
            // Something of the stack outlived it: then the group stays until the machine restarts, and bounds only
            // that.
        }
    }
}
