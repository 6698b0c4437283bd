package dev.millrace.brokers.kafka.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.Linter;
import dev.millrace.connectors.api.lint.PropertiesText;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.connectors.api.lint.Verdict;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class KafkaClientLintTest {

    static Stream<SettingsKind> kinds() {
        return Stream.of(new KafkaProducerKind(), new KafkaConsumerKind());
    }

    private static List<Finding> check(SettingsKind kind, String text) {
        return new Linter(kind.known()).check(PropertiesText.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "fetch.min=5242880, MISNAMED, fetch.min.bytes",
        "MinBytes=5242880, MISNAMED, fetch.min.bytes",
        "MaxWait=10s, MISNAMED, fetch.max.wait.ms",
        "BatchSize=10000, MISNAMED, batch.size"
    })
    @DisplayName("terms of clients in Go get the names that Java's client has")
    void termsOfGo(String line, Verdict verdict, String right) {
        assertThat(kinds().toList())
                .allSatisfy(
                        kind -> assertThat(check(kind, line)).singleElement().satisfies(finding -> {
                            assertThat(finding.verdict()).isEqualTo(verdict);
                            assertThat(finding.right()).contains(right);
                        }));
        assertThat(kinds().anyMatch(kind -> kind.known().find(right).isPresent()))
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @DisplayName("what only the reporter of metrics reads may be there")
    void metrics(SettingsKind kind) {
        assertThat(check(kind, "metrics.jmx.include=a\nmetrics.jmx.exclude=b\nmetrics.context.own=c"))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @DisplayName("a name that is called wrong does not exist")
    void invented(SettingsKind kind) {
        assertThat(kind.known().advice())
                .filteredOn(advice -> advice.verdict() == Verdict.MISNAMED)
                .isNotEmpty()
                .noneMatch(advice -> kind.known().find(advice.key()).isPresent());
    }

    @Test
    @DisplayName("a batch is in bytes: what was meant as messages is little")
    void batchSize() {
        assertThat(check(new KafkaProducerKind(), "batch.size=10000"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.verdict()).isEqualTo(Verdict.ADVICE));
        assertThat(check(new KafkaProducerKind(), "batch.size=262144")).isEmpty();
    }

    @Test
    @DisplayName("a typo, a wrong type and a word that is none of the possible ones are found")
    void wrong() {
        assertThat(check(new KafkaProducerKind(), "linger.sm=5\nlinger.ms=soon\nacks=al"))
                .extracting(Finding::verdict, finding -> finding.right().orElse(""))
                .containsExactly(
                        tuple(Verdict.UNKNOWN, "linger.ms"),
                        tuple(Verdict.WRONG_VALUE, ""),
                        tuple(Verdict.WRONG_VALUE, ""));
    }

    @Test
    @DisplayName("a class of one's own need not be here, and a password is in no sentence")
    void ownClassesAndPasswords() {
        assertThat(check(
                        new KafkaConsumerKind(),
                        "value.deserializer=com.example.Ours\nssl.key.password=secret\nsasl.jaas.config=secret"))
                .isEmpty();
    }

    @Test
    @DisplayName("the profiles of this plugin pass")
    void profiles() throws Exception {
        for (String profile : List.of("durable", "latency", "throughput")) {
            String name = "/dev/millrace/brokers/kafka/tuning/" + profile + ".properties";
            String text;
            try (InputStream in = KafkaClientLintTest.class.getResourceAsStream(name)) {
                text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
            for (SettingsKind kind : kinds().toList()) {
                String prefix = kind.name().replace("kafka-", "") + ".";
                List<SettingLine> own = PropertiesText.parse(text).stream()
                        .filter(line -> line.key().startsWith(prefix))
                        .map(line -> new SettingLine(line.line(), line.key().substring(prefix.length()), line.value()))
                        .toList();
                assertThat(own).isNotEmpty();
                assertThat(new Linter(kind.known()).check(own))
                        .noneMatch(finding -> finding.verdict().fails());
            }
        }
    }
}
