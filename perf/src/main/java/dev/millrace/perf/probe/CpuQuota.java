package dev.millrace.perf.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A bound on processor time, as containers have it: less than the machine's processors, which {@code /proc} shows all the same. Both
 * versions of control groups are known (cgroups(7); cpu.max, cpu.stat and cpu.cfs_quota_us in the kernel's cgroup-v2 and sched-bwc
 * documents).
 *
 * @param cores processor seconds in a second
 * @param throttledMicros in which processes of the group wanted to run and had used up their time, since the group is there
 * @param usageMicros that they ran
 */
record CpuQuota(double cores, long throttledMicros, long usageMicros) {
    private static final String NONE = "max";

    /** The least one that bounds this process; empty where there is none, or nobody says. */
    static Optional<CpuQuota> here() {
        try {
            return in(Path.of("/sys/fs/cgroup"), Files.readAllLines(Path.of("/proc/self/cgroup")));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * As above.
     *
     * @param root where control groups are mounted
     * @param groups lines of {@code /proc/self/cgroup}: number, controllers and path, with colons between
     */
    static Optional<CpuQuota> in(Path root, List<String> groups) throws IOException {
        List<CpuQuota> found = new ArrayList<>();
        for (String line : groups) {
            String[] parts = line.split(":", 3);
            List<String> controllers = List.of(parts[1].split(","));
            if (parts[1].isEmpty()) {
                for (Path group : upwards(root, parts[2])) {
                    unified(group).ifPresent(found::add);
                }
            } else if (controllers.contains("cpu")) {
                Path mounted = mounted(root, parts[1], "cpu");
                for (Path group : upwards(mounted, parts[2])) {
                    Path accounts = mounted(root, parts[1], "cpuacct")
                            .resolve(mounted.relativize(group).toString());
                    legacy(group, accounts).ifPresent(found::add);
                }
            }
        }
        return found.stream().min(Comparator.comparingDouble(CpuQuota::cores));
    }

    private static Path mounted(Path root, String together, String controller) {
        Path shared = root.resolve(together);
        return Files.isDirectory(shared) ? shared : root.resolve(controller);
    }

    /** The group and those around it; in a container the path may be one that is to be seen outside only. */
    private static List<Path> upwards(Path mounted, String path) {
        Path group = mounted.resolve(path.substring(1)).normalize();
        List<Path> all = new ArrayList<>();
        for (Path at = group.startsWith(mounted) && Files.isDirectory(group) ? group : mounted;
                at.startsWith(mounted);
                at = at.getParent()) {
            all.add(at);
        }
        return all;
    }

    private static Optional<CpuQuota> unified(Path group) throws IOException {
        Path bound = group.resolve("cpu.max");
        if (!Files.isReadable(bound)) {
            return Optional.empty();
        }
        String[] words = Files.readString(bound).trim().split(" ");
        return words[0].equals(NONE)
                ? Optional.empty()
                : Optional.of(new CpuQuota(
                        Double.parseDouble(words[0]) / Double.parseDouble(words[1]),
                        counter(group, "throttled_usec"),
                        counter(group, "usage_usec")));
    }

    private static Optional<CpuQuota> legacy(Path group, Path accounts) throws IOException {
        Path bound = group.resolve("cpu.cfs_quota_us");
        Path usage = accounts.resolve("cpuacct.usage");
        if (!Files.isReadable(bound) || !Files.isReadable(usage)) {
            return Optional.empty();
        }
        long quota = number(bound);
        return quota <= 0
                ? Optional.empty()
                : Optional.of(new CpuQuota(
                        (double) quota / number(group.resolve("cpu.cfs_period_us")),
                        counter(group, "throttled_time") / 1000,
                        number(usage) / 1000));
    }

    private static long number(Path file) throws IOException {
        return Long.parseLong(Files.readString(file).trim());
    }

    private static long counter(Path group, String name) throws IOException {
        return Files.readAllLines(group.resolve("cpu.stat")).stream()
                .filter(line -> line.startsWith(name + " "))
                .mapToLong(line -> Long.parseLong(line.split(" ")[1]))
                .findFirst()
                .orElse(0);
    }
}
