package dev.millrace.brokers.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.brokers.kafka.lint.KafkaBrokerKind;
import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.Linter;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.testkit.broker.PodFiles;
import dev.millrace.connectors.testkit.broker.ProductionFiles;
import dev.millrace.core.settings.Options;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the production shape tells servers and clients are settings that they have. Needs the server's jars, not a running server. */
@Tag("server")
class ProductionFilesTest {
    private static final ProductionFiles FILES = ProductionFiles.of("kafka");
    private static final Linter SERVER = new Linter(new KafkaBrokerKind().known());
    /** As Strimzi writes it. */
    private static final Map<String, String> LOGIN = Map.of(
            "client.sasl.jaas.config",
            "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"u\" password=\"p\";");

    private static List<Finding> failing(List<SettingLine> settings) {
        return SERVER.check(settings).stream()
                .filter(finding -> finding.verdict().fails())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka.yaml", "durability/matched/kafka.yaml", "durability/vendor-default/kafka.yaml"})
    @DisplayName("every setting of a server exists and takes its value; with a letter less none does")
    void server(String file) {
        List<SettingLine> settings = FILES.mapping(file, "spec.kafka.config");
        assertThat(settings).hasSizeGreaterThan(1);
        assertThat(failing(settings)).isEmpty();
        assertThat(new KafkaBrokerKind().placed(new KafkaBrokerKind().known(), settings))
                .as("left out by Strimzi")
                .isEmpty();
        for (SettingLine line : settings) {
            SettingLine typo = new SettingLine(line.line(), PodFiles.shorter(line.key()), line.value());
            assertThat(failing(List.of(typo))).as(typo.key()).isNotEmpty();
        }
    }

    @Test
    @DisplayName(
            "no class of durability has a broker wait for its disk, and both have three replicas, two of them in time")
    void durability() {
        for (String name : List.of("matched", "vendor-default")) {
            Map<String, String> settings =
                    PodFiles.settings(FILES.mapping("durability/" + name + "/kafka.yaml", "spec.kafka.config"));
            assertThat(settings)
                    .containsEntry("default.replication.factor", "3")
                    .containsEntry("min.insync.replicas", "2");
            assertThat(settings.getOrDefault("log.flush.interval.messages", "" + Long.MAX_VALUE))
                    .isEqualTo("" + Long.MAX_VALUE);
        }
    }

    @Test
    @DisplayName("every setting of the topic exists; with a letter less none does")
    void topic() throws Exception {
        Set<String> known = new TreeSet<>();
        for (Field field : TopicConfig.class.getFields()) {
            if (field.getName().endsWith("_CONFIG")) {
                known.add((String) field.get(null));
            }
        }
        Map<String, String> settings = PodFiles.settings(FILES.mapping("topic.yaml", "spec.config"));
        assertThat(known).containsAll(settings.keySet());
        assertThat(settings.keySet()).hasSizeGreaterThan(5).noneMatch(key -> known.contains(PodFiles.shorter(key)));
        assertThat(settings).containsEntry("min.insync.replicas", "2");
    }

    @Test
    @DisplayName(
            "clients are told by options that there are, with the login that is in a Secret; with a letter less it is refused")
    void options(@TempDir Path work) {
        Map<String, String> told = FILES.options(work, LOGIN);
        assertThat(told).containsAllEntriesOf(LOGIN);
        assertThat(KafkaOptions.bind(Options.of(told)).address()).isEqualTo("kafka-kafka-bootstrap:9093");
        told.keySet().forEach(key -> {
            Map<String, String> other = new TreeMap<>(told);
            other.put(PodFiles.shorter(key), other.remove(key));
            assertThatThrownBy(() -> KafkaOptions.bind(Options.of(other))).hasMessageContaining(PodFiles.shorter(key));
        });
    }

    @Test
    @DisplayName("the job is told the same options, and the name of the broker")
    void job(@TempDir Path work, @TempDir Path other) {
        Options job = Options.of(FILES.job(work, LOGIN));
        assertThat(job.get("broker")).contains("kafka");
        assertThat(job.under("broker.").asMap()).isEqualTo(FILES.options(other, LOGIN));
        assertThat(work.resolve("out/usrlib")).isDirectoryContaining("glob:**/millrace-job.jar");
    }
}
