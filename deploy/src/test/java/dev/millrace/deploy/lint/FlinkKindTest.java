package dev.millrace.deploy.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.Linter;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.Verdict;
import dev.millrace.core.settings.UserException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With the jars of Flink that are on this class path; the job's own list has some more. */
class FlinkKindTest {
    private static final KnownSettings KNOWN =
            FlinkKind.known(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(entry -> entry.endsWith(".jar"))
                    .map(Path::of)
                    .toList());

    @TempDir
    Path folder;

    private static List<Finding> check(String text) {
        return new Linter(KNOWN).check(FlinkText.yaml(text));
    }

    @ParameterizedTest
    @CsvSource({
        "'state.backend: rocksdb', ADVICE, state.backend.type",
        "'state.checkpoints.dir: s3://x', ADVICE, execution.checkpointing.dir",
        "'taskmanager.cpu: 2', MISNAMED, taskmanager.cpu.cores",
        "'restart-strategy: fixed-delay', RENAMED, restart-strategy.type",
        "'execution.checkpointing.intervall: 10s', UNKNOWN, execution.checkpointing.interval",
        "'taskmanager.numberOfTaskSlots: two', WRONG_VALUE,",
        "'execution.checkpointing.interval: soon', WRONG_VALUE,"
    })
    @DisplayName("old names, wrong names, typos and wrong types are found")
    void found(String line, Verdict verdict, String right) {
        assertThat(check(line)).singleElement().satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(verdict);
            assertThat(finding.right().orElse(null)).isEqualTo(right);
        });
        assertThat(right == null || KNOWN.find(right).isPresent()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "taskmanager.memory.process.size: 4g",
                "metrics.reporter.own.port: 9249",
                "kubernetes.namespace: x",
                "env.java.opts.all: -Da=b",
                "env.java.home: jdk",
                "job.autoscaler.enabled: true",
                "high-availability.kubernetes.leader-election.lease-duration: 30 s",
                "pipeline.jars: [a, b]",
                "jobmanager:\n  rpc:\n    address: x"
            })
    @DisplayName("what Flink takes passes")
    void fine(String text) {
        assertThat(check(text)).isEmpty();
    }

    /** No jar of Flink brings its file of settings along. */
    @Test
    @DisplayName("in a file with the defaults of what people set most there is nothing to find")
    void defaults() throws Exception {
        Map<String, String> defaults = new TreeMap<>();
        for (Class<?> type : List.of(
                CheckpointingOptions.class,
                CoreOptions.class,
                HighAvailabilityOptions.class,
                JobManagerOptions.class,
                MetricOptions.class,
                PipelineOptions.class,
                RestOptions.class,
                StateBackendOptions.class,
                TaskManagerOptions.class,
                WebOptions.class)) {
            for (Field field : type.getFields()) {
                if (field.get(null) instanceof ConfigOption<?> option
                        && option.key().contains(".")
                        && !field.isAnnotationPresent(Deprecated.class)) {
                    defaults.put(option.key(), byDefault(option));
                }
            }
        }
        assertThat(defaults).hasSizeGreaterThan(200);
        List<SettingLine> file = defaults.entrySet().stream()
                .map(entry -> new SettingLine(1, entry.getKey(), entry.getValue()))
                .toList();
        assertThat(new Linter(KNOWN).check(file))
                .filteredOn(finding -> finding.verdict() != Verdict.NOTE)
                .isEmpty();
    }

    private static <T> String byDefault(ConfigOption<T> option) {
        Configuration configuration = new Configuration();
        if (option.hasDefaultValue()) {
            configuration.set(option, option.defaultValue());
        }
        return configuration.toMap().getOrDefault(option.key(), "");
    }

    @Test
    @DisplayName("there are as many options as Flink has")
    void options() {
        assertThat(KNOWN.settings()).hasSizeGreaterThan(500);
    }

    @Test
    @DisplayName("levels and dots are the same, with the line of the last key")
    void levels() {
        assertThat(FlinkText.yaml("a:\n  b.c:\n    d: 1\n  e: [x, 'y']\nf:\n"))
                .containsExactly(
                        new SettingLine(3, "a.b.c.d", "1"),
                        new SettingLine(4, "a.e", "x;y"),
                        new SettingLine(5, "f", ""));
    }

    @Test
    @DisplayName(
            "a key that one mapping has twice, with or without levels below, is a sentence: Flink reads nothing of such a file")
    void repeatedKey() {
        String levels = "jobmanager:\n  bind-host: a\nrest.port: 1\njobmanager:\n  rpc.address: b\n";
        assertThatThrownBy(() -> FlinkText.yaml(levels))
                .isInstanceOf(UserException.class)
                .hasMessage(
                        "line 4: the key jobmanager stands in line 1 already; Flink does not read the file until one of"
                                + " the two is gone");
        assertThatThrownBy(() -> FlinkText.yaml("rest:\n  port: 1\n  address: a\n  port: 2\n"))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("line 4: the key rest.port stands in line 2 already; ");
        assertThatThrownBy(() ->
                        GlobalConfiguration.loadConfiguration(written(levels).toString()))
                .rootCause()
                .hasMessageContaining("found duplicate key jobmanager");
    }

    @Test
    @DisplayName("a key that two levels spell out alike is a finding: Flink takes one of the values")
    void repeatedSetting() {
        assertThat(check("rest.port: 1\nrest:\n  port: 2\n"))
                .extracting(Finding::verdict)
                .containsExactly(Verdict.REPEATED);
    }

    private Path written(String text) throws IOException {
        return Files.writeString(folder.resolve("config.yaml"), text).getParent();
    }

    @Test
    @DisplayName("the old format is not YAML")
    void oldFormat() {
        assertThat(new FlinkKind().parse("flink-conf.yaml", "a: b: c # why\n# x\n\nd: *e\nf:\n"))
                .containsExactly(
                        new SettingLine(1, "a", "b: c"), new SettingLine(4, "d", "*e"), new SettingLine(5, "f", ""));
        assertThatThrownBy(() -> FlinkText.lines("a: 1\nb=2"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("line 2 is not KEY: VALUE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: [", "- a", "a: &x\n  b: *x"})
    @DisplayName("what is no YAML of settings is a sentence")
    void noYaml(String text) {
        assertThatThrownBy(() -> FlinkText.yaml(text))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("it ");
    }
}
