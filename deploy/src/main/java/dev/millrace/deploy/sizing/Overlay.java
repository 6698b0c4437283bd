package dev.millrace.deploy.sizing;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.local.PropertiesFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A derivation as a kustomization on top of a broker's folder of the size: settings of stack and job, parallelism, generator, and
 * what that broker's folder {@code SIZE-sized} has, with figures in place of its {@code ${words}}. Immutable.
 *
 * @param files by name; texts
 */
public record Overlay(Derivation derivation, Map<String, String> files) {
    /** A file of this name is for the broker's chart; kustomize has nothing to do with it. */
    public static final String FOR_CHART = "values.yaml";

    private static final String KUSTOMIZATION = "kustomization.yaml";
    private static final String STACK = "stack.properties";
    private static final String JOB = "job.properties";

    public Overlay {
        files = Map.copyOf(files);
    }

    /** Where the broker's part of a size is, in a clone. */
    public static Path folder(Path root, String broker, String size) {
        return root.resolve("brokers")
                .resolve(broker)
                .resolve("deploy/kubernetes")
                .resolve(size);
    }

    /**
     * What would be written to a folder.
     *
     * @param root of the clone
     */
    public static Overlay of(Derivation derivation, Path root, Path target) {
        String broker = derivation.rates().broker();
        String size = derivation.request().shape().name();
        Path folder = folder(root, broker, size);
        Map<String, String> files = new TreeMap<>();
        files.put(STACK, stack(derivation, read(folder.resolve(STACK))));
        files.put(
                JOB,
                job(
                        derivation,
                        read(root.resolve("deploy/kubernetes").resolve(size).resolve(JOB))));
        files.put("flink.yaml", flink(derivation));
        files.put("generator.yaml", generator(derivation));
        Path sized = folder.resolveSibling(size + "-sized");
        Map<String, String> words = words(derivation);
        for (Path file : files(sized)) {
            files.put(file.getFileName().toString(), filled(file, words));
        }
        // Kustomize follows links before it goes up.
        Path base = Folders.real(target).relativize(Folders.real(folder));
        files.put(KUSTOMIZATION, kustomization(derivation, base, files));
        return new Overlay(derivation, files);
    }

    /** The places where figures go in a broker's files, with the figures. */
    static Map<String, String> words(Derivation derivation) {
        long retention = derivation.retentionBytesPerPartition();
        return Map.of(
                "${partitions}", Integer.toString(derivation.partitions()),
                "${brokerNodes}", Integer.toString(derivation.request().brokerNodes()),
                "${retentionBytesPerPartition}", Long.toString(retention),
                "${retentionMebibytesPerPartition}", Long.toString(retention >> 20));
    }

    private static String filled(Path file, Map<String, String> words) {
        String text = text(file);
        for (Map.Entry<String, String> word : words.entrySet()) {
            text = text.replace(word.getKey(), word.getValue());
        }
        if (text.contains("${")) {
            throw new EnvironmentException(
                    file + " has a ${word} that nothing is known of; known are " + words.keySet());
        }
        return text;
    }

    private static String stack(Derivation derivation, Map<String, String> values) {
        Map<String, String> sized = new TreeMap<>(values);
        sized.put("partitions", Integer.toString(derivation.partitions()));
        sized.put("parallelism", Integer.toString(derivation.parallelism()));
        sized.put("rate", Long.toString(derivation.request().rate()));
        sized.put("devices", Long.toString(derivation.devices()));
        sized.put("payload-bytes", Integer.toString(derivation.rates().load().payloadBytes()));
        sized.put("retention-bytes", (derivation.retentionBytesPerPartition() >> 20) * derivation.partitions() + "MiB");
        return lines(sized);
    }

    private static String job(Derivation derivation, Map<String, String> values) {
        Map<String, String> sized = new TreeMap<>(values);
        sized.put("parallelism", Integer.toString(derivation.parallelism()));
        return lines(sized);
    }

    private static String lines(Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        values.forEach(
                (key, value) -> text.append(key).append('=').append(value).append('\n'));
        return text.toString();
    }

    private static String flink(Derivation derivation) {
        return """
                # %d TaskManagers of %d slots; the operator makes as many as that takes.
                apiVersion: flink.apache.org/v1beta1
                kind: FlinkDeployment
                metadata:
                  name: job
                spec:
                  job:
                    parallelism: %d
                """
                .formatted(
                        derivation.taskManagers(), derivation.request().shape().slots(), derivation.parallelism());
    }

    private static String generator(Derivation derivation) {
        return """
                # Of %1$d pods each sends its part of the rate, from devices of its own; prepare.sh says which.
                apiVersion: apps/v1
                kind: StatefulSet
                metadata:
                  name: generator
                spec:
                  replicas: %1$d
                  template:
                    spec:
                      initContainers:
                        - name: join
                          env:
                            - name: GENERATORS
                              value: "%1$d"
                """
                .formatted(derivation.generators());
    }

    private static String kustomization(Derivation derivation, Path base, Map<String, String> files) {
        StringBuilder text = new StringBuilder();
        text.append("# Written by `millrace size`: ")
                .append(derivation.request().rate())
                .append(" readings/s on ")
                .append(derivation.request().brokerNodes())
                .append(" broker nodes, by rates measured on ")
                .append(derivation.rates().measured().date())
                .append(".\n");
        derivation.steps().forEach(step -> text.append("#   ").append(step).append('\n'));
        text.append("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n  - ")
                .append(base.toString().replace('\\', '/'))
                .append("\nconfigMapGenerator:\n");
        for (String settings : List.of(STACK, JOB)) {
            text.append("  - name: ")
                    .append(settings.replace(".properties", ""))
                    .append("\n    behavior: merge\n    files:\n      - ")
                    .append(settings)
                    .append("\n    options:\n      disableNameSuffixHash: true\n");
        }
        text.append("patches:\n");
        new TreeMap<>(files)
                .keySet().stream()
                        .filter(name -> name.endsWith(".yaml") && !name.equals(FOR_CHART))
                        .forEach(name -> text.append("  - path: ").append(name).append('\n'));
        return text.toString();
    }

    /** Writes all of it; the folder is made, and files of these names are replaced. */
    public void write(Path target) {
        try {
            Files.createDirectories(target);
            for (Map.Entry<String, String> file : files.entrySet()) {
                Files.writeString(target.resolve(file.getKey()), file.getValue());
            }
        } catch (IOException e) {
            throw new EnvironmentException(
                    "cannot write to " + target + ": " + e.getMessage()
                            + "; name a folder that can be written: --write DIR",
                    e);
        }
    }

    private static Map<String, String> read(Path file) {
        return PropertiesFile.read(file).orElseThrow(() -> new EnvironmentException("there is no " + file));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static List<Path> files(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return new ArrayList<>(files.sorted().toList());
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + folder + ": " + e.getMessage(), e);
        }
    }
}
