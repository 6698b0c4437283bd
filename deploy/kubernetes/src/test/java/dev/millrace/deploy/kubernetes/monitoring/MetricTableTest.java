package dev.millrace.deploy.kubernetes.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.testkit.monitoring.MetricTable;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every metric that is asked for has an origin. That it is there is tested where its server runs. */
class MetricTableTest {
    static List<Monitored> folders() {
        return Monitored.all();
    }

    @Test
    @DisplayName("there are alerts and dashboards of every stack, and of two brokers")
    void something() {
        assertThat(folders()).hasSize(3).allSatisfy(folder -> {
            assertThat(folder.alerts()).hasSizeGreaterThan(7);
            assertThat(folder.dashboards()).isNotEmpty();
            assertThat(folder.metrics()).hasSizeGreaterThan(14);
        });
    }

    @ParameterizedTest
    @MethodSource("folders")
    @DisplayName("what alerts and dashboards ask for is in the table, and the table has nothing else")
    void table(Monitored folder) {
        assertThat(folder.metrics())
                .containsExactlyElementsOf(
                        new TreeSet<>(folder.table().origins().keySet()));
    }

    @ParameterizedTest
    @MethodSource("folders")
    @DisplayName("whatever metric loses a letter in an expression, it is not in the table")
    void planted(Monitored folder) {
        for (Monitored.Alert alert : folder.alerts()) {
            for (String metric : PromQl.metrics(alert.expression())) {
                String typo = metric.substring(0, metric.length() / 2) + metric.substring(metric.length() / 2 + 1);
                Set<String> asked = PromQl.metrics(alert.expression().replace(metric, typo));
                assertThat(asked).as(typo).contains(typo);
                assertThat(folder.table().origins()).as(typo).doesNotContainKey(typo);
            }
        }
    }

    @Test
    @DisplayName("the servers whose pages are asked are those that tests know")
    void servers() {
        assertThat(MetricTable.neutral().servers())
                .containsExactly("clickhouse", "generator", "jobmanager", "taskmanager");
    }

    @Test
    @DisplayName("a row of no kind, one without a source and one that is there already are refused")
    void refused() {
        for (String row : List.of(
                "| `a` | scrapes: job |",
                "| `a` | documentation: here |",
                "| `a b` | scrape: job |",
                "| `a` | scrape: job |\n| `a` | scrape: job |")) {
            assertThatThrownBy(() -> MetricTable.parsed(row))
                    .as(row)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("`a");
        }
    }

    @Test
    @DisplayName("what is not in a scrape is missing, also when another name begins with it or a comment has it")
    void missing() {
        MetricTable table =
                MetricTable.parsed("| `a_b` | scrape: job |\n| `c` | scrape: job |\n| `d` | scrape: store |");
        assertThat(table.missing("job", "# TYPE a_b gauge\na_b_c{x=\"a_b\"} 1\nc{y=\"1\"} 2.0\n"))
                .containsExactly("a_b");
        assertThat(table.missing("job", "a_b 1\nc 2")).isEmpty();
    }
}
