package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.brokers.pulsar.lint.BookieKind;
import dev.millrace.brokers.pulsar.lint.BrokerKind;
import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.Linter;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.connectors.api.lint.Verdict;
import dev.millrace.connectors.testkit.broker.PodFiles;
import dev.millrace.connectors.testkit.broker.ProductionFiles;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the chart's values tell servers and clients are settings that they have. Needs the distribution, not a running server. */
@Tag("server")
class ProductionFilesTest {
    private static final ProductionFiles FILES = ProductionFiles.of("pulsar");
    private static final String PREFIX = "PULSAR_PREFIX_";
    /** The image's scripts take these themselves. */
    private static final String OF_SCRIPTS = "PULSAR_MEM";

    private static SettingsKind kind(String server) {
        return server.equals("broker") ? new BrokerKind() : new BookieKind();
    }

    /** What is wrong with settings that become variables of a pod, out of which the image writes the server's file. */
    private static List<Finding> problems(String server, List<SettingLine> variables) {
        KnownSettings known = kind(server).known();
        List<SettingLine> settings = variables.stream()
                .filter(line -> !line.key().equals(OF_SCRIPTS))
                .toList();
        List<Finding> found = new ArrayList<>(kind(server).placed(known, settings));
        new Linter(known)
                        .check(settings.stream()
                                .map(line -> new SettingLine(
                                        line.line(), line.key().replaceFirst("^" + PREFIX, ""), line.value()))
                                .toList())
                        .stream()
                        .filter(finding -> finding.verdict().fails())
                        // What is given up there is what the class of durability is about.
                        .filter(finding ->
                                !(finding.key().equals("journalSyncData") && finding.verdict() == Verdict.HARMFUL))
                        .forEach(found::add);
        return found;
    }

    @ParameterizedTest
    @CsvSource({
        "values.yaml, broker, 12",
        "values.yaml, bookkeeper, 4",
        "durability/matched/values.yaml, broker, 3",
        "durability/matched/values.yaml, bookkeeper, 1",
        "durability/vendor-default/values.yaml, broker, 3",
        "durability/vendor-default/values.yaml, bookkeeper, 1"
    })
    @DisplayName(
            "every setting of a server exists, takes its value and gets into its file; with a letter less none does")
    void server(String file, String server, int least) {
        List<SettingLine> variables = FILES.mapping(file, server + ".configData");
        assertThat(variables).hasSizeGreaterThanOrEqualTo(least);
        assertThat(problems(server, variables)).isEmpty();
        for (SettingLine line : variables) {
            if (!line.key().equals(OF_SCRIPTS)) {
                SettingLine typo = new SettingLine(line.line(), PodFiles.shorter(line.key()), line.value());
                assertThat(problems(server, List.of(typo))).as(typo.key()).isNotEmpty();
            }
        }
    }

    @Test
    @DisplayName("a setting that the image's file does not have is found when it lacks the prefix")
    void prefix() {
        List<SettingLine> variables = FILES.mapping("values.yaml", "broker.configData").stream()
                .filter(line -> line.key().startsWith(PREFIX))
                .map(line -> new SettingLine(line.line(), line.key().replace(PREFIX, ""), line.value()))
                .toList();
        assertThat(problems("broker", variables))
                .hasSize(2)
                .extracting(Finding::verdict)
                .containsOnly(Verdict.INERT);
    }

    @Test
    @DisplayName("matched and vendor default differ in whether a bookie waits for its disk, and both have 3/3/2")
    void durability() {
        Map.of("matched", "false", "vendor-default", "true").forEach((name, sync) -> {
            String file = "durability/" + name + "/values.yaml";
            assertThat(PodFiles.settings(FILES.mapping(file, "bookkeeper.configData")))
                    .isEqualTo(Map.of("journalSyncData", sync));
            assertThat(PodFiles.settings(FILES.mapping(file, "broker.configData")))
                    .isEqualTo(Map.of(
                            "managedLedgerDefaultEnsembleSize", "3",
                            "managedLedgerDefaultWriteQuorum", "3",
                            "managedLedgerDefaultAckQuorum", "2"));
        });
    }

    @Test
    @DisplayName("heap and direct memory of a server leave half of its pod to the page cache's and the rest's needs")
    void memory() {
        for (String server : List.of("broker", "bookkeeper")) {
            String memory = PodFiles.settings(FILES.mapping("values.yaml", server + ".configData"))
                    .get(OF_SCRIPTS);
            long gibibytes = Pattern.compile("-(?:Xmx|XX:MaxDirectMemorySize=)(\\d+)g")
                    .matcher(memory)
                    .results()
                    .mapToLong(found -> Long.parseLong(found.group(1)))
                    .sum();
            String limit = PodFiles.settings(FILES.mapping("values.yaml", server + ".resources.limits"))
                    .get("memory");
            assertThat(gibibytes).isBetween(32L, Long.parseLong(limit.replace("Gi", "")) * 6 / 10);
        }
    }

    @Test
    @DisplayName("clients are told by options that there are; with a letter less it is refused")
    void options(@TempDir Path work) {
        Map<String, String> told = FILES.options(work, Map.of());
        PulsarOptions bound = PulsarOptions.bind(Options.of(told));
        assertThat(bound.address()).isEqualTo("pulsar-broker:6651");
        assertThat(bound.admin()).isEqualTo("https://pulsar-broker:8443");
        told.keySet().forEach(key -> {
            Map<String, String> other = new TreeMap<>(told);
            other.put(PodFiles.shorter(key), other.remove(key));
            assertThatThrownBy(() -> PulsarOptions.bind(Options.of(other))).hasMessageContaining(PodFiles.shorter(key));
        });
    }

    @Test
    @DisplayName("the job is told the same options, and the name of the broker")
    void job(@TempDir Path work, @TempDir Path other) {
        Options job = Options.of(FILES.job(work, Map.of()));
        assertThat(job.get("broker")).contains("pulsar");
        assertThat(job.under("broker.").asMap()).isEqualTo(FILES.options(other, Map.of()));
    }
}
