package dev.millrace.perf.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.variant.Variant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BacklogResultTest {
    private static final MachineUse UNDISTURBED = new MachineUse(1000, 20, 900, 0, 0);

    private static Drain drain(Variant variant, int round, double rate, Drain.Verdict audit) {
        return new Drain("here", variant.word(), round, 1_000_000, rate, 1, 1, 1, 1, 1, 0, UNDISTURBED, 0, 0, audit);
    }

    private static BacklogResult result(List<Drain> drains) {
        return new BacklogResult(Map.of(), List.of("here"), drains);
    }

    @Test
    @DisplayName("the median of an even number is the mean of the two in the middle, of none it is not a number")
    void median() {
        List<Drain> drains = DoubleStream.of(4, 1, 3, 100)
                .mapToObj(rate -> drain(Variant.OURS, 1, rate, Drain.Verdict.EQUAL))
                .toList();
        assertThat(Comparison.median(drains, Drain::readingsPerSecond)).isEqualTo(3.5);
        assertThat(Comparison.median(List.of(), Drain::readingsPerSecond)).isNaN();
    }

    @Test
    @DisplayName("what a drain does not know is not in its sentence")
    void sentence() {
        double unknown = Double.NaN;
        assertThat(drain(Variant.OURS, 1, 2_500_000, Drain.Verdict.EQUAL).sentence())
                .isEqualTo("2,500,000 readings/s, all 1,000,000 through, the last row after 1.0 s, audit equal");
        Drain raw = new Drain(
                "here",
                "raw",
                1,
                1_000_000,
                unknown,
                unknown,
                1,
                1,
                unknown,
                1,
                0,
                UNDISTURBED,
                0,
                0,
                Drain.Verdict.COUNTED);
        assertThat(raw.sentence()).isEqualTo("over too soon for a rate, all 1,000,000 through, audit counted");
    }

    @Test
    @DisplayName("a ratio is taken within a round: a machine that was slow for one round was slow for both")
    void pairs() {
        List<Drain> drains = new ArrayList<>();
        for (int round = 1; round <= 5; round++) {
            double machine = round == 3 ? 0.1 : 1;
            drains.add(drain(Variant.OURS, round, 900 * machine, Drain.Verdict.EQUAL));
            drains.add(drain(Variant.PLAIN, round, 1000 * machine, Drain.Verdict.EQUAL));
        }
        drains.add(drain(Variant.OURS, 6, 1, Drain.Verdict.EQUAL)); // without a partner
        Comparison comparison = Comparison.of("here", Variant.OURS, Variant.PLAIN, drains);
        assertThat(comparison.pairs()).isEqualTo(5);
        assertThat(comparison.least()).isEqualTo(0.9);
        assertThat(comparison.most()).isEqualTo(0.9);
        assertThat(result(drains).doubts()).isEmpty();
    }

    @Test
    @DisplayName("what a neighbour took while a variant drained is said of its round, and the figures stay")
    void disturbed() throws IOException {
        List<Drain> drains = new ArrayList<>();
        for (int round = 1; round <= 5; round++) {
            drains.add(drain(Variant.RAW, round, 1000, Drain.Verdict.COUNTED));
            drains.add(new Drain(
                    "here",
                    "ours",
                    round,
                    1_000_000,
                    1000,
                    1,
                    1,
                    1,
                    1,
                    1,
                    0,
                    round == 2 ? new MachineUse(1000, 21, 900, 60, 3) : UNDISTURBED,
                    0,
                    0,
                    Drain.Verdict.EQUAL));
        }
        assertThat(result(drains).doubts())
                .containsExactly(
                        "here: while ours of round 2 drained, the hypervisor, or a quota, took 2.1 % of the processors'"
                                + " time; at most 2.0 % are allowed",
                        "here: while ours of round 2 drained, processes that are not of this benchmark took 6.0 % of the"
                                + " processors' time; at most 5.0 % are allowed",
                        "here: while ours of round 2 drained, the machine swapped 3 pages; it must not swap");
        assertThat(result(drains).comparisons().get(0).pairs()).isEqualTo(5);
        JsonNode drain = new ObjectMapper().readTree(result(drains).json()).at("/drains/3");
        assertThat(drain.path("stolenShare").asDouble()).isEqualTo(0.021);
        assertThat(drain.path("neighbourShare").asDouble()).isEqualTo(0.06);
        assertThat(drain.path("idleShare").asDouble()).isEqualTo(0.079);
        assertThat(drain.path("swappedPages").asLong()).isEqualTo(3);
    }

    @Test
    @DisplayName("where the machine is not looked at nothing is said of it")
    void notLookedAt() throws IOException {
        Drain whole = new Drain(
                "here", Drain.STACK, 0, 1, 1, 1, 1, 1, 1, 1, 0, MachineUse.UNKNOWN, 0, 0, Drain.Verdict.EQUAL);
        assertThat(result(List.of(whole)).doubts()).isEmpty();
        JsonNode drain =
                new ObjectMapper().readTree(result(List.of(whole)).json()).at("/drains/0");
        assertThat(drain.path("stolenShare").isNull()).isTrue();
        assertThat(drain.path("swappedPages").isNull()).isTrue();
    }

    @Test
    @DisplayName("a stock job far below the client's own loop voids the comparison, and the result says so")
    void strawMan() {
        List<Drain> drains = new ArrayList<>();
        for (int round = 1; round <= 5; round++) {
            drains.add(drain(Variant.RAW, round, 1000, Drain.Verdict.COUNTED));
            drains.add(drain(Variant.STOCK, round, 199, Drain.Verdict.EQUAL));
        }
        assertThat(result(drains).doubts()).singleElement().asString().contains("void");
    }

    @Test
    @DisplayName("one drain that is not equal makes the result not whole, in its table too")
    void different() {
        BacklogResult result = result(List.of(
                drain(Variant.OURS, 1, 1000, Drain.Verdict.EQUAL),
                drain(Variant.OURS, 2, 1000, Drain.Verdict.DIFFERENT)));
        assertThat(result.isWhole()).isFalse();
        assertThat(result.text()).contains("DIFFERENT").contains("round 2");
        assertThat(Comparison.of(
                                "here",
                                Variant.OURS,
                                Variant.RAW,
                                List.of(
                                        drain(Variant.RAW, 1, 1000, Drain.Verdict.COUNTED),
                                        drain(Variant.OURS, 1, 1000, Drain.Verdict.DIFFERENT)))
                        .pairs())
                .isZero();
    }

    @Test
    @DisplayName("a rate that nobody could measure is null in JSON, a dash in the table and a doubt, never zero")
    void notMeasured() {
        BacklogResult result = result(List.of(drain(Variant.OURS, 1, Double.NaN, Drain.Verdict.EQUAL)));
        assertThat(result.json()).contains("\"readingsPerSecond\" : null");
        assertThat(result.text()).containsPattern("ours\\s+1\\s+equal\\s+-");
        assertThat(result.doubts()).singleElement().asString().contains("ours of round 1", "too soon");
    }

    @Test
    @DisplayName("the CPU time of a process that nobody saw is not known, never zero")
    void withoutAProcess() {
        Optional<Duration> none = Optional.empty();
        Optional<Duration> some = Optional.of(Duration.ofSeconds(3));
        assertThat(Drain.cpuPerMillion(none, none, 500_000)).isNaN();
        assertThat(Drain.cpuPerMillion(some, none, 500_000)).isNaN();
        assertThat(Drain.cpuPerMillion(Optional.of(Duration.ofSeconds(1)), some, 500_000))
                .isEqualTo(4);
        assertThat(Drain.cpuPerMillion(0, 0, 500_000)).isNaN();
        assertThat(Drain.cpuPerMillion(7, 2_000_000_000L, 500_000)).isEqualTo(4);
    }

    @Test
    @DisplayName("fewer than five rounds are figures, not a verdict")
    void fewRounds() {
        List<Drain> drains = List.of(
                drain(Variant.OURS, 1, 1000, Drain.Verdict.EQUAL), drain(Variant.PLAIN, 1, 1000, Drain.Verdict.EQUAL));
        assertThat(result(drains).doubts()).singleElement().asString().startsWith("1 rounds");
    }
}
