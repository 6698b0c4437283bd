package dev.millrace.brokers.kafka.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.brokers.kafka.KafkaServerFiles;
import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.Linter;
import dev.millrace.connectors.api.lint.PropertiesText;
import dev.millrace.connectors.api.lint.ServerClasses;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsPlace;
import dev.millrace.connectors.api.lint.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Needs the server's jars, not a running server. */
@Tag("server")
class KafkaBrokerLintTest {
    private static final KnownSettings KNOWN = new KafkaBrokerKind().known();

    private static List<Finding> check(String text) {
        return new Linter(KNOWN).check(PropertiesText.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "numPartitions=64, MISNAMED, num.partitions",
        "defaultReplicationFactor=3, MISNAMED, default.replication.factor",
        "log.retention.hour=1, UNKNOWN, log.retention.hours",
        "num.io.threads=many, WRONG_VALUE,",
        "compression.type=zst, WRONG_VALUE,",
        "log.cleaner.enable=false, DEPRECATED,"
    })
    @DisplayName("names of the chart, typos, wrong values and deprecated settings are found")
    void found(String line, Verdict verdict, String right) {
        assertThat(check(line)).singleElement().satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(verdict);
            assertThat(finding.right().orElse(null)).isEqualTo(right);
        });
        assertThat(right == null || KNOWN.find(right).isPresent()).isTrue();
    }

    @Test
    @DisplayName("a name that is called wrong does not exist")
    void invented() {
        assertThat(KNOWN.advice()).isNotEmpty().noneMatch(advice -> KNOWN.find(advice.key())
                .isPresent());
    }

    @Test
    @DisplayName("settings of one listener are a person's own")
    void listeners() {
        assertThat(check("listener.name.internal.ssl.keystore.location=own.p12"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rsm.config.chunk.size=4194304",
                "rlmm.config.remote.log.metadata.topic.replication.factor=3",
                "metrics.jmx.include=a",
                "metrics.jmx.exclude=a",
                "metrics.context.cluster=a",
                "cruise.control.metrics.topic.num.partitions=1",
                "cruise.control.metrics.topic.retention.ms=360000"
            })
    @DisplayName("what only classes read that a broker loads by name may be there")
    void loadedByName(String line) {
        assertThat(check(line)).isEmpty();
    }

    @Test
    @DisplayName("a topic's list in YAML is the list that Kafka takes")
    void lists() {
        assertThat(new KafkaTopicKind().places())
                .extracting(SettingsPlace::separator)
                .containsExactly(",");
        assertThat(new Linter(new KafkaTopicKind().known())
                        .check(List.of(
                                new SettingLine(1, "cleanup.policy", "compact,delete"),
                                new SettingLine(2, "cleanup.policy", "compact;delete"))))
                .extracting(Finding::verdict)
                .contains(Verdict.WRONG_VALUE);
    }

    /** The server's jars bring no file of settings along. */
    @Test
    @DisplayName("in a file with every default there is nothing to find")
    void defaults() {
        List<SettingLine> defaults = ServerClasses.read(KafkaServerFiles.jars(), loader -> {
            Object definition = loader.loadClass("org.apache.kafka.server.config.AbstractKafkaConfig")
                    .getField("CONFIG_DEF")
                    .get(null);
            List<SettingLine> lines = new ArrayList<>();
            Map<?, ?> values =
                    (Map<?, ?>) definition.getClass().getMethod("defaultValues").invoke(definition);
            for (Map.Entry<?, ?> entry : values.entrySet()) {
                Object value = entry.getValue();
                lines.add(new SettingLine(lines.size() + 1, entry.getKey().toString(), text(value)));
            }
            return lines;
        });
        assertThat(defaults).hasSizeGreaterThan(200);
        assertThat(new Linter(KNOWN).check(defaults)).isEmpty();
    }

    private static String text(Object value) {
        if (value instanceof Collection<?> list) {
            return String.join(",", list.stream().map(Object::toString).toList());
        }
        return value instanceof Class<?> type ? type.getName() : value == null ? "" : value.toString();
    }
}
