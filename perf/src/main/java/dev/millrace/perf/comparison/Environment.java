package dev.millrace.perf.comparison;

import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.Revision;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What of machine and build must be alike for two results to be compared. */
public final class Environment {
    private Environment() {}

    static Map<String, String> of(Installation installation) {
        Map<String, String> facts = new TreeMap<>();
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("architecture", System.getProperty("os.arch"));
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        first("/proc/cpuinfo", "model name").ifPresent(cpu -> facts.put("cpu", cpu));
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

    private static Optional<String> first(String file, String key) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .filter(line -> line.startsWith(key))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
