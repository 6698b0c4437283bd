package dev.millrace.perf.latency;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.variant.Variant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LatencyResultTest {
    private static final MachineUse UNDISTURBED = new MachineUse(1000, 20, 900, 0, 0);

    private final List<Latency> rounds = new ArrayList<>();

    private void add(Variant variant, int round, double p99) {
        rounds.add(new Latency("here", variant.word(), round, 100, true, p99 / 2, p99, p99 * 2, UNDISTURBED));
    }

    private LatencyResult result() {
        return new LatencyResult(Map.of(), List.of("here"), rounds);
    }

    @Test
    @DisplayName("a difference is taken within a round, and rounds without a partner are left out")
    void pairs() throws IOException {
        double[] machine = {0, 500, 10};
        for (int round = 1; round <= 3; round++) {
            add(Variant.OURS, round, 130 + machine[round - 1]);
            add(Variant.STOCK, round, 100 + machine[round - 1] + round);
        }
        add(Variant.OURS, 4, 9999);
        assertThat(result().above("here", Variant.STOCK)).containsExactly(27, 28, 29);
        assertThat(result().text())
                .contains("here: p99 of ours less that of stock: 28.0 ms (least 27.0, most 29.0 of 3 pairs)");
        JsonNode json = new ObjectMapper().readTree(result().json());
        assertThat(json.path("rounds")).hasSize(7);
        assertThat(json.path("p99OfOursLess").get(0).path("medianMillis").asDouble())
                .isEqualTo(28);
    }

    @Test
    @DisplayName("a round that counted nothing makes the result not whole, and so does no round at all")
    void whole() {
        assertThat(result().isWhole()).isFalse();
        add(Variant.OURS, 1, 10);
        assertThat(result().isWhole()).isTrue();
        rounds.add(new Latency("here", "stock", 1, 0, true, Double.NaN, Double.NaN, Double.NaN, UNDISTURBED));
        assertThat(result().isWhole()).isFalse();
        assertThat(result().text()).contains("1 rounds had no row").doesNotContain("NaN");
    }

    @Test
    @DisplayName("a round that a neighbour disturbed is named, and counts")
    void disturbed() throws IOException {
        add(Variant.OURS, 1, 10);
        assertThat(result().text()).doesNotContain("doubt");
        rounds.add(new Latency("here", "stock", 1, 100, true, 1, 2, 3, new MachineUse(1000, 50, 900, 0, 0)));
        assertThat(result().text())
                .contains(
                        "doubt: here: while rows of stock were counted in round 1, the hypervisor, or a quota, took 5.0 %");
        assertThat(result().above("here", Variant.STOCK)).hasSize(1);
        assertThat(new ObjectMapper()
                        .readTree(result().json())
                        .at("/rounds/1/stolenShare")
                        .asDouble())
                .isEqualTo(0.05);
    }

    @Test
    @DisplayName("a round whose job did not keep up is in no figure")
    void behind() {
        add(Variant.OURS, 1, 10);
        add(Variant.STOCK, 1, 10);
        rounds.add(new Latency("here", "ours", 2, 100, false, 9_000, 20_000, 30_000, UNDISTURBED));
        add(Variant.STOCK, 2, 10);
        assertThat(result().isWhole()).isFalse();
        assertThat(result().above("here", Variant.STOCK)).hasSize(1);
        assertThat(result().text())
                .contains("1 rounds had a job that did not keep up")
                .doesNotContain("20000");
    }
}
