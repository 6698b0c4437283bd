package dev.millrace.perf.comparison;

import dev.millrace.deploy.local.Installation;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** What of machine and build must be alike for two results to be compared. */
public final class Environment {
    private static final long GIT_SECONDS = 10;

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
        commit(installation.root()).ifPresent(commit -> facts.put("commit", commit));
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

    /** Of the clone; with a word when files differ from it. */
    private static Optional<String> commit(Path root) {
        return git(root, "rev-parse", "HEAD")
                .map(commit -> commit
                        + git(root, "status", "--porcelain")
                                .filter(changes -> !changes.isEmpty())
                                .map(changes -> " and changes that are not committed")
                                .orElse(""));
    }

    /** Empty where there is no git, or no clone. */
    private static Optional<String> git(Path root, String... arguments) {
        List<String> command = new java.util.ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor(GIT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0
                    ? Optional.of(out)
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
