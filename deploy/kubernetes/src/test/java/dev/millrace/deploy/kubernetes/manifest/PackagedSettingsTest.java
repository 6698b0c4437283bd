package dev.millrace.deploy.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.Linter;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.testkit.broker.PodFiles;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.lint.FlinkKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Settings of the production shape held against what only a packaged build has: all of Flink's jars, the store's client. No server runs. */
@Tag("server")
class PackagedSettingsTest {
    private static final Production PRODUCTION = Production.ofClone();
    private static final Linter FLINK = new Linter(new FlinkKind().known());
    /** Read by the operator and by modules that this machine does not have. */
    private static final String ELSEWHERE = "kubernetes\\..*|metrics\\.reporter\\..*";

    private static List<SettingLine> flink() {
        List<SettingLine> lines = new ArrayList<>();
        PRODUCTION.in(Production.NEUTRAL + "/flink.yaml").forEach(one -> one.object()
                .fields("spec.flinkConfiguration")
                .forEach((key, value) -> lines.add(new SettingLine(value.node().line(), key, value.text()))));
        return lines;
    }

    private static List<Finding> failing(List<SettingLine> lines) {
        return FLINK.check(lines).stream()
                .filter(finding -> finding.verdict().fails())
                .toList();
    }

    @Test
    @DisplayName("every setting of Flink exists and takes its value, and none that lost a letter does")
    void flinkSettings() {
        List<SettingLine> lines = flink();
        assertThat(lines).hasSizeGreaterThan(15);
        assertThat(failing(lines)).isEmpty();
        for (SettingLine line : lines) {
            if (!line.key().matches(ELSEWHERE)) {
                SettingLine typo = new SettingLine(line.line(), PodFiles.shorter(line.key()), line.value());
                assertThat(failing(List.of(typo))).as(typo.key()).isNotEmpty();
            }
        }
    }

    @Test
    @DisplayName("every option of the store exists, and none that lost a letter does")
    void storeOptions() {
        Options told = Options.of(PRODUCTION
                        .files()
                        .settings()
                        .get(Production.NEUTRAL + "/job.properties")
                        .values())
                .under("store.");
        // The one thing that is missing is what a Secret brings.
        assertThatThrownBy(() -> ResultStores.named("clickhouse").connect(told))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'ca-file' cannot be read");
        told.asMap().forEach((key, value) -> {
            Map<String, String> other = new HashMap<>(told.asMap());
            other.remove(key);
            other.put(PodFiles.shorter(key), value);
            assertThatThrownBy(() -> ResultStores.named("clickhouse").connect(Options.of(other)))
                    .as(key)
                    .hasMessageContaining(PodFiles.shorter(key));
        });
    }
}
