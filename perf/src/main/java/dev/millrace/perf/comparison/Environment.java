package dev.millrace.perf.comparison;

import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.Revision;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What of machine and build must be alike for two results to be compared. */
public final class Environment {
    /** The model of the processors. */
    public static final String CPU = "cpu";

    private static final List<String> ARM = List.of("CPU implementer", "CPU variant", "CPU part");

    private Environment() {}

    static Map<String, String> of(Installation installation) {
        Map<String, String> facts = new TreeMap<>();
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("architecture", System.getProperty("os.arch"));
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put(CPU, cpu(lines("/proc/cpuinfo")));
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system) {
            facts.put("memory", (system.getTotalMemorySize() >> 20) + " MiB");
        }
        facts.putAll(build(installation));
        return facts;
    }

    /** Of the build alone. */
    public static Map<String, String> build(Installation installation) {
        Map<String, String> facts = new TreeMap<>();
        facts.put("job jar sha256", installation.jobJarSha256());
        Revision.of(installation.root()).ifPresent(revision -> facts.put("commit", revision.toString()));
        return facts;
    }

    /**
     * The model of the processors: kernels of arm64 give numbers instead of a name, and who counts none has the architecture alone.
     *
     * @param cpuinfo lines as proc_cpuinfo(5) has them; empty where there are none
     */
    static String cpu(List<String> cpuinfo) {
        return first(cpuinfo, "model name").orElseGet(() -> {
            String numbers = ARM.stream()
                    .flatMap(key -> first(cpuinfo, key).map(value -> key + " " + value).stream())
                    .collect(Collectors.joining(", "));
            return numbers.isEmpty() ? System.getProperty("os.arch") : numbers;
        });
    }

    private static Optional<String> first(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (IOException e) {
            // No Linux.
            return List.of();
        }
    }
}
