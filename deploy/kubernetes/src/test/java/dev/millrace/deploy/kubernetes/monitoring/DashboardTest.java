package dev.millrace.deploy.kubernetes.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Grafana takes almost any JSON and shows nothing: what makes a dashboard one. */
class DashboardTest {
    private static List<JsonNode> dashboards() {
        return Monitored.all().stream()
                .flatMap(folder -> folder.dashboards().stream())
                .toList();
    }

    private static List<JsonNode> panels(JsonNode dashboard) {
        List<JsonNode> panels = new ArrayList<>();
        dashboard.path("panels").forEach(panel -> {
            if (!panel.path("type").asText().equals("row")) {
                panels.add(panel);
            }
        });
        return panels;
    }

    @Test
    @DisplayName("each has an own uid and an own title")
    void own() {
        assertThat(dashboards()).hasSize(3);
        assertThat(dashboards().stream().map(dashboard -> dashboard.path("uid").asText()))
                .doesNotHaveDuplicates()
                .allMatch(uid -> uid.matches("millrace-[a-z]+"));
        assertThat(dashboards().stream()
                        .map(dashboard -> dashboard.path("title").asText()))
                .doesNotHaveDuplicates()
                .doesNotContain("");
    }

    @Test
    @DisplayName("each asks for a source of data and for a stack")
    void variables() {
        for (JsonNode dashboard : dashboards()) {
            assertThat(dashboard.path("templating").path("list"))
                    .extracting(variable -> variable.path("name").asText(), variable -> variable.path("type")
                            .asText())
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("datasource", "datasource"),
                            org.assertj.core.groups.Tuple.tuple("namespace", "query"));
        }
    }

    @Test
    @DisplayName("each panel has a title, a description, a unit, the chosen source and something to ask")
    void panels() {
        for (JsonNode dashboard : dashboards()) {
            List<JsonNode> panels = panels(dashboard);
            assertThat(panels).hasSizeGreaterThan(10);
            assertThat(panels.stream().map(panel -> panel.path("title").asText()))
                    .doesNotHaveDuplicates();
            assertThat(panels.stream().map(panel -> panel.path("id").asInt())).doesNotHaveDuplicates();
            for (JsonNode panel : panels) {
                String title = panel.path("title").asText();
                assertThat(title).isNotBlank();
                assertThat(panel.path("description").asText()).as(title).isNotBlank();
                assertThat(panel.path("fieldConfig")
                                .path("defaults")
                                .path("unit")
                                .asText())
                        .as(title)
                        .isIn("ops", "short", "s", "ms", "bytes", "Bps", "pps", "percent", "percentunit");
                assertThat(panel.path("datasource").path("uid").asText())
                        .as(title)
                        .isEqualTo("${datasource}");
                assertThat(panel.path("targets")).as(title).isNotEmpty().allSatisfy(target -> {
                    assertThat(target.path("datasource").path("uid").asText()).isEqualTo("${datasource}");
                    assertThat(target.path("expr").asText()).isNotBlank();
                    assertThat(target.path("legendFormat").asText()).isNotBlank();
                });
            }
        }
    }

    @Test
    @DisplayName("no two panels lie on one another, and none leaves the page")
    void places() {
        for (JsonNode dashboard : dashboards()) {
            List<String> taken = new ArrayList<>();
            dashboard.path("panels").forEach(panel -> {
                JsonNode place = panel.path("gridPos");
                int right = place.path("x").asInt() + place.path("w").asInt();
                assertThat(right).isLessThanOrEqualTo(24);
                for (int x = place.path("x").asInt(); x < right; x++) {
                    for (int y = 0; y < place.path("h").asInt(); y++) {
                        taken.add(x + "," + (place.path("y").asInt() + y));
                    }
                }
            });
            assertThat(taken).doesNotHaveDuplicates();
        }
    }
}
