package dev.millrace.connectors.testkit.broker;

import dev.millrace.connectors.api.lint.PropertiesText;
import dev.millrace.connectors.api.lint.SettingLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a broker's servers and its clients are told in the production shape on Kubernetes, so that it can be held against their own
 * classes. Immutable.
 *
 * @param files of the broker
 */
public record ProductionFiles(PodFiles files) {
    private static final Pattern FIELD = Pattern.compile("( *)([^\\s:#\"-][^\\s:]*|\"[^\"]+\"): *(.*)");
    private static final long BOUND_SECONDS = 30;

    /** Those of this clone. */
    public static ProductionFiles of(String broker) {
        return new ProductionFiles(
                new PodFiles(root().resolve("brokers").resolve(broker).resolve("deploy/kubernetes/c5-i7i")));
    }

    private static Path root() {
        return Path.of(System.getProperty("millrace.root", "../..")).toAbsolutePath();
    }

    /** The settings in a mapping of a YAML file, as its lines: {@code spec.server.config}. */
    public List<SettingLine> mapping(String file, String path) {
        List<SettingLine> settings = new ArrayList<>();
        Deque<Map.Entry<Integer, String>> open = new ArrayDeque<>();
        int number = 0;
        for (String line : files.text(file).lines().toList()) {
            number++;
            Matcher field = FIELD.matcher(line);
            if (!field.matches()) {
                continue;
            }
            int depth = field.group(1).length();
            while (!open.isEmpty() && open.peek().getKey() >= depth) {
                open.pop();
            }
            List<String> names = open.stream().map(Map.Entry::getValue).collect(Collectors.toList());
            Collections.reverse(names);
            String above = String.join(".", names);
            String key = bare(field.group(2));
            if (above.equals(path)) {
                settings.add(new SettingLine(number, key, bare(field.group(3))));
            }
            open.push(Map.entry(depth, key));
        }
        return settings;
    }

    private static String bare(String word) {
        return word.replaceAll("^\"|\"$", "");
    }

    /**
     * The options that the script of the init container makes for a process that is told only of the broker.
     *
     * @param work a folder that is empty
     * @param options what Secrets bring, by the option's name
     */
    public Map<String, String> options(Path work, Map<String, String> options) {
        return prepared(work, options, List.of("stack.properties", "broker.properties"), "broker.properties");
    }

    /** The same for the job, with all else that it is told. */
    public Map<String, String> job(Path work, Map<String, String> options) {
        try {
            Files.createDirectories(work.resolve("settings"));
            Files.copy(
                    root().resolve("deploy/kubernetes/c5-i7i/job.properties"), work.resolve("settings/job.properties"));
            Path jars = work.resolve("millrace");
            for (String jar : List.of(
                    "connectors/job/target/millrace-job.jar",
                    "brokers/any/target/plugin/plugin.jar",
                    "lib/flink-connector-base-1.jar")) {
                Files.createDirectories(jars.resolve(jar).getParent());
                Files.writeString(jars.resolve(jar), jar);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return prepared(work, options, List.of("stack.properties", "broker.properties"), "job.properties");
    }

    private Map<String, String> prepared(Path work, Map<String, String> options, List<String> given, String made) {
        try {
            Path settings = Files.createDirectories(work.resolve("settings"));
            Path secrets = Files.createDirectories(work.resolve("secrets/option"));
            Path out = Files.createDirectories(work.resolve("out"));
            for (String file : given) {
                Files.writeString(settings.resolve(file), files.text(file));
            }
            for (Map.Entry<String, String> option : options.entrySet()) {
                Files.writeString(secrets.resolve(option.getKey()), option.getValue());
            }
            ProcessBuilder builder = new ProcessBuilder(
                            "bash",
                            root().resolve("deploy/kubernetes/c5-i7i/prepare.sh")
                                    .toString(),
                            out.toString())
                    .inheritIO();
            builder.environment()
                    .putAll(new HashMap<>(Map.of(
                            "SETTINGS", settings.toString(),
                            "SECRETS", secrets.getParent().toString(),
                            "MILLRACE", work.resolve("millrace").toString())));
            Process process = builder.start();
            if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException("the script of the init container failed");
            }
            return PodFiles.settings(PropertiesText.parse(Files.readString(out.resolve(made))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
