package dev.millrace.perf.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.probe.MachineUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PublishResultTest {
    private static final long READINGS = 1_000_000;

    private static PublishRun run(Side side, int round, long asked, double rate, double p99) {
        return run(side, round, asked, rate, p99, READINGS);
    }

    private static PublishRun run(Side side, int round, long asked, double rate, double p99, long stored) {
        return new PublishRun(
                new PublishRun.Plan("here", side, round, asked, READINGS),
                READINGS,
                stored,
                rate,
                rate,
                p99 / 2,
                p99,
                Double.NaN,
                1,
                0,
                MachineUse.UNKNOWN);
    }

    /** Five rounds at full speed and five at half. */
    private static List<PublishRun> rounds(double ratio, double p99Ratio) {
        List<PublishRun> runs = new ArrayList<>();
        for (int round = 1; round <= 5; round++) {
            double machine = round == 3 ? 0.1 : 1;
            runs.add(run(Side.TOOL, round, 0, 1000 * machine, 30));
            runs.add(run(Side.PUBLISHER, round, 0, 1000 * machine * ratio * 1.01, 60));
            runs.add(run(Side.GENERATOR, round, 0, 1000 * machine * ratio, 60));
            runs.add(run(Side.GENERATOR, round, 500, 500, 10 / machine * p99Ratio));
            runs.add(run(Side.TOOL, round, 500, 500, 10 / machine));
            runs.add(run(Side.PUBLISHER, round, 500, 500, 10 / machine * p99Ratio * 0.99));
        }
        return runs;
    }

    private static PublishResult result(List<PublishRun> runs) {
        return new PublishResult(
                Map.of(), 1, List.of("here"), Map.of("here", "a-tool"), Map.of("here", List.of("no key")), runs);
    }

    @Test
    @DisplayName("a run that a neighbour disturbed is named")
    void disturbed() {
        List<PublishRun> runs = rounds(1, 1);
        PublishRun calm = runs.get(0);
        runs.set(
                0,
                new PublishRun(
                        calm.plan(),
                        READINGS,
                        READINGS,
                        1000,
                        1000,
                        15,
                        30,
                        Double.NaN,
                        1,
                        0,
                        new MachineUse(200, 20, 100, 0, 0)));
        assertThat(result(runs).doubts())
                .containsExactly(
                        "here: " + Side.TOOL.word() + " of round 1: the hypervisor, or a quota, took 10.0 % of the"
                                + " processors' time; at most 2.0 % are allowed");
        assertThat(result(runs).json()).contains("\"stolenShare\" : 0.1,");
    }

    @Test
    @DisplayName("ratios are taken within a round, of the rate at full speed and of the p99 at half of it")
    void ratios() {
        PublishResult result = result(rounds(0.97, 1.05));
        assertThat(result.ratios()).extracting(PublishRatio::isKept).containsExactly(true, true, true, true);
        assertThat(result.ratios())
                .extracting(PublishRatio::side)
                .containsExactly(Side.PUBLISHER, Side.PUBLISHER, Side.GENERATOR, Side.GENERATOR);
        assertThat(result.ratios().get(0).median()).isBetween(0.9796, 0.9798);
        assertThat(result.ratios().get(1).median()).isBetween(1.0394, 1.0396);
        assertThat(result.ratios().get(2).median()).isBetween(0.9699, 0.9701);
        assertThat(result.ratios().get(3).median()).isBetween(1.0499, 1.0501);
        assertThat(result.doubts()).isEmpty();
        assertThat(result.isWhole()).isTrue();
    }

    @Test
    @DisplayName("a ratio beyond its limit is said to be, in the text and in the document")
    void beyondTheLimits() {
        PublishResult result = result(rounds(0.93, 1.12));
        assertThat(result.ratios()).extracting(PublishRatio::isKept).containsExactly(false, false, false, false);
        assertThat(result.text()).contains("at least 0.95: NO").contains("at most 1.10: NO");
        assertThat(result.json()).contains("\"kept\" : false").doesNotContain("\"kept\" : true");
    }

    @Test
    @DisplayName("a median that keeps its limit, of pairs that differ so much that it may be chance, shows nothing")
    void notShown() {
        List<PublishRun> runs = new ArrayList<>();
        double[] p99 = {10.2, 10.4, 10.8, 14, 14.5};
        for (int round = 1; round <= 5; round++) {
            runs.add(run(Side.GENERATOR, round, 0, 1000, 10));
            runs.add(run(Side.TOOL, round, 0, 1000, 10));
            runs.add(run(Side.GENERATOR, round, 500, 500, p99[round - 1]));
            runs.add(run(Side.TOOL, round, 500, 500, 10));
        }
        PublishResult result = result(runs);
        assertThat(result.text())
                .contains("at least 0.95: yes\n")
                .contains("at most 1.10: yes in the median, not shown: the interval has both sides of the limit");
        assertThat(result.json()).contains("\"shown\" : true").contains("\"shown\" : false");
        assertThat(result(runs.subList(0, 8)).text())
                .contains("at most 1.10: yes in the median, not shown: there are too few pairs for an interval");
    }

    @Test
    @DisplayName("half of the capacity is half of the median of the slower side, and zero where one side has no rate")
    void half() {
        assertThat(PublishResult.halfOfCapacity(rounds(0.9, 1), "here")).isEqualTo(450);
        assertThat(PublishResult.halfOfCapacity(rounds(1.2, 1), "here")).isEqualTo(500);
        assertThat(PublishResult.halfOfCapacity(
                        List.of(run(Side.GENERATOR, 1, 0, 1000, 1), run(Side.TOOL, 1, 0, Double.NaN, 1)), "here"))
                .isZero();
    }

    @Test
    @DisplayName(
            "a run whose topic does not hold what it sent is named, is in no ratio, and makes the result not whole")
    void notWhole() {
        List<PublishRun> runs = rounds(1, 1);
        runs.set(0, run(Side.TOOL, 1, 0, 5, 30, READINGS - 1));
        PublishResult result = result(runs);
        assertThat(result.isWhole()).isFalse();
        assertThat(result.ratios().get(2).ratios()).hasSize(4);
        assertThat(result.doubts())
                .hasSize(2)
                .first()
                .asString()
                .contains("tool of round 1")
                .contains("999,999");
    }

    @Test
    @DisplayName("a run that is in no ratio is in no median either, and its row says how many are left")
    void notCounted() {
        List<PublishRun> runs = rounds(1, 1);
        runs.set(0, run(Side.TOOL, 1, 0, 7_777_777, 30, READINGS - 1));
        runs.set(4, run(Side.TOOL, 1, 500, 489, 1));
        assertThat(result(runs).text())
                .containsPattern("tool\\s+max\\s+4 of 5\\s+1,000\\s+100\\s+1,000")
                .containsPattern("tool\\s+500\\s+4 of 5\\s+500\\s+500\\s+500")
                .containsPattern("generator\\s+max\\s+5\\s+1,000")
                .doesNotContain("7,777,777");
        List<PublishRun> lost = List.of(
                run(Side.TOOL, 1, 0, 10, 1, READINGS - 1),
                run(Side.TOOL, 2, 0, 1000, 1),
                run(Side.PUBLISHER, 1, 0, 1000, 1),
                run(Side.GENERATOR, 1, 0, 1000, 1));
        assertThat(PublishResult.halfOfCapacity(lost, "here")).isEqualTo(500);
    }

    @Test
    @DisplayName("a tool that sent some more than it was told is whole when its topic holds those too")
    void someMore() {
        PublishRun.Plan plan = new PublishRun.Plan("here", Side.TOOL, 1, 0, READINGS);
        assertThat(new PublishRun(plan, READINGS + 9, READINGS + 9, 1, 1, 1, 1, 1, 1, 0, MachineUse.UNKNOWN).isWhole())
                .isTrue();
        assertThat(new PublishRun(plan, READINGS + 9, READINGS, 1, 1, 1, 1, 1, 1, 0, MachineUse.UNKNOWN).isWhole())
                .isFalse();
        assertThat(new PublishRun(plan, READINGS - 1, READINGS - 1, 1, 1, 1, 1, 1, 1, 0, MachineUse.UNKNOWN).isWhole())
                .isFalse();
    }

    @Test
    @DisplayName("a run that did not hold its rate, or was catching up, is in no ratio of latencies")
    void rateNotHeld() {
        List<PublishRun> runs = rounds(1, 1);
        runs.set(4, run(Side.TOOL, 1, 500, 489, 1));
        runs.set(9, run(Side.GENERATOR, 2, 500, 511, 1));
        PublishResult result = result(runs);
        assertThat(result.isWhole()).isTrue();
        assertThat(result.ratios().get(3).ratios()).hasSize(3);
        assertThat(result.doubts().get(0)).contains("tool of round 1 did not hold 500 readings/s (489)");
        assertThat(result.doubts().get(1)).contains("generator of round 2 did not hold 500 readings/s (511)");
    }

    @Test
    @DisplayName("fewer than five rounds are figures, not a verdict; no round at all keeps no limit")
    void fewRounds() {
        assertThat(result(rounds(1, 1).subList(0, 6)).doubts())
                .singleElement()
                .asString()
                .startsWith("1 rounds");
        PublishResult none = result(List.of());
        assertThat(none.ratios()).extracting(PublishRatio::isKept).containsExactly(false, false, false, false);
        assertThat(none.isWhole()).isFalse();
        assertThat(none.text()).contains("no round has");
    }

    @Test
    @DisplayName(
            "what was not measured is null in JSON and a dash in the table, never zero; the tool and its differences are named")
    void notMeasured() {
        PublishResult result = result(List.of(run(Side.TOOL, 1, 0, Double.NaN, 1)));
        assertThat(result.json()).contains("\"readingsPerSecond\" : null").contains("\"here\" : \"a-tool\"");
        assertThat(result.text())
                .containsPattern("tool\\s+max\\s+1\\s+-")
                .contains("the tool is a-tool")
                .contains("  - no key");
    }
}
