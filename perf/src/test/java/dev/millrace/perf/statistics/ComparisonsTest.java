package dev.millrace.perf.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.Ceiling;
import dev.millrace.perf.result.Comparison;
import dev.millrace.perf.result.Comparison.Verdict;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ComparisonsTest {
    private static final List<Subject> SUBJECTS =
            List.of(subject("floor", true), subject("north", false), subject("south", false));
    private static final double[] STEADY = {100, 102, 99, 101, 100};
    private static final double[] NEXT = {101, 100, 100, 103, 98};
    private static final double[] HIGHER = {122, 126, 121, 125, 123};

    private static final String NO_BUDGET = "the memory budget was not enforced";

    private static Subject subject(String name, boolean floor) {
        return new Subject(name, name, "1", floor);
    }

    private static Run run(String subject, int block, Map<Figure, Double> figures, String... reasons) {
        return new Run(
                subject + "-" + block,
                subject,
                block,
                "2026-07-20T00:00:00Z",
                List.of(reasons),
                figures,
                List.of(),
                "",
                true,
                Map.of(),
                Map.of(),
                List.of(),
                "",
                List.of());
    }

    private static List<Run> runs(Figure figure, double[] north, double[] south) {
        List<Run> runs = new ArrayList<>();
        for (int block = 0; block < north.length; block++) {
            runs.add(run("north", block, Map.of(figure, north[block])));
            runs.add(run("south", block, Map.of(figure, south[block])));
        }
        return runs;
    }

    private static Comparison only(Figure figure, double[] north, double[] south, String withheld) {
        List<Comparison> all = Comparisons.of(runs(figure, north, south), SUBJECTS, figure, withheld, 1);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static double[] first(double[] values, int count) {
        return Arrays.copyOf(values, count);
    }

    @Test
    @DisplayName(
            "more of what should be low is worse, more of what should be high is better, and the sentence says whose it is")
    void whichIsBetterIsTheFiguresWord() {
        Comparison cpu = only(Figure.CPU_TOTAL, STEADY, HIGHER, "");
        assertThat(cpu.verdict()).isEqualTo(Verdict.A_BETTER);
        assertThat(cpu.sentence())
                .matches("CPU of all processes: 22\\.\\d % higher with south than with north"
                        + " \\(95 % interval 2[01]\\.\\d to 2[34]\\.\\d %, 5 pairs\\); north is better");
        Comparison rate = only(Figure.PROCESSED_RATE, STEADY, HIGHER, "");
        assertThat(rate.verdict()).isEqualTo(Verdict.B_BETTER);
        assertThat(rate.sentence()).endsWith("; south is better");
        assertThat(only(Figure.CPU_TOTAL, HIGHER, STEADY, "").verdict()).isEqualTo(Verdict.B_BETTER);
        assertThat(only(Figure.CPU_TOTAL, HIGHER, STEADY, "").sentence())
                .matches(
                        ".*: 18\\.\\d % lower with south than with north \\(95 % interval 1\\d.* to 19.*; south is better");
    }

    @Test
    @DisplayName("no difference is said when it is so, with what could have been seen")
    void noDifferenceIsSaid() {
        Comparison comparison = only(Figure.SEND_P99, STEADY, NEXT, "");
        assertThat(comparison.verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
        assertThat(comparison.sentence())
                .matches("intended send time to accepted, p99: no difference could be seen between north and south:"
                        + " (equally high|0.* % (lower|higher)) with south \\(95 % interval -\\d.* to \\d.* %, 5 pairs\\);"
                        + " so many pairs of this spread show a difference of \\d.* % four times in five");
    }

    @Test
    @DisplayName("a difference that is small is not shown as none")
    void aSmallDifferenceIsNotShownAsNone() {
        assertThat(Difference.size(1.00003)).isEqualTo("0.003 %");
        assertThat(Difference.size(1.0004)).isEqualTo("0.04 %");
        assertThat(Difference.size(1.2)).isEqualTo("20 %");
    }

    @Test
    @DisplayName("four pairs are figures: medians and ratio, no interval, no verdict")
    void fourPairsAreFigures() {
        Comparison comparison = only(Figure.SEND_P99, new double[] {3, 3.1, 3.1, 9}, new double[] {4.4, 4.4, 4, 5}, "");
        assertThat(comparison.verdict()).isEqualTo(Verdict.NONE);
        assertThat(comparison.low()).isNaN();
        assertThat(comparison.ratio()).isPositive();
        assertThat(comparison.sentence())
                .isEqualTo("intended send time to accepted, p99: north 3.1 ms, south 4.4 ms (medians of 4 pairs):"
                        + " figures only, a verdict takes 5 pairs");
        assertThat(only(Figure.SEND_P99, first(STEADY, 1), first(HIGHER, 1), NO_BUDGET)
                        .sentence())
                .isEqualTo("intended send time to accepted, p99: north 100 ms, south 122 ms (one pair):"
                        + " figures only, a verdict takes 5 pairs; with so many none would be given either, because the"
                        + " memory budget was not enforced");
    }

    @Test
    @DisplayName("a figure that may be zero has medians and no ratio then")
    void zerosHaveNoRatio() {
        Comparison comparison =
                only(Figure.LAG_MAX, new double[] {0, 0, 0, 0, 0}, new double[] {0, 7, 12345, 12345, 12345}, "");
        assertThat(comparison.verdict()).isEqualTo(Verdict.NONE);
        assertThat(comparison.ratio()).isNaN();
        assertThat(comparison.sentence())
                .isEqualTo(
                        "readings in the broker that the job had not read, greatest: north 0 readings, south 12,345 readings"
                                + " (medians of 5 pairs): figures only, values that are not all above zero have no ratio");
    }

    @Test
    @DisplayName("without an enforced budget figures and interval stay, and no verdict is given")
    void noVerdictWithoutABudget() {
        Comparison comparison = only(Figure.MEMORY_TOTAL, STEADY, HIGHER, NO_BUDGET);
        assertThat(comparison.verdict()).isEqualTo(Verdict.NONE);
        assertThat(comparison.low()).isGreaterThan(1);
        assertThat(comparison.sentence())
                .contains("north 100 MiB, south 123 MiB (medians of 5 pairs), 22.", "95 % interval")
                .doesNotContain("better")
                .endsWith("; no verdict is given, because the memory budget was not enforced");
    }

    @Test
    @DisplayName("a verdict that is withheld for another cause names that one, and not the memory budget")
    void theCauseIsNamed() {
        String replicas = "the brokers have different numbers of replicas";
        Comparison comparison = only(Figure.MEMORY_TOTAL, STEADY, HIGHER, replicas);
        assertThat(comparison.verdict()).isEqualTo(Verdict.NONE);
        assertThat(comparison.sentence()).endsWith("; no verdict is given, because " + replicas);
        assertThat(only(Figure.MEMORY_TOTAL, first(STEADY, 2), first(HIGHER, 2), replicas)
                        .sentence())
                .endsWith("because " + replicas)
                .doesNotContain("memory budget");
    }

    @Test
    @DisplayName("figures that are the same in every pair are said to be so")
    void equalFiguresAreSaidToBeSo() {
        Comparison comparison = only(Figure.MEMORY_TOTAL, STEADY, STEADY, "");
        assertThat(comparison.verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
        assertThat(comparison.sentence()).endsWith(": the same with north and south in each of 5 pairs");
    }

    @Test
    @DisplayName("more than twice is said in times")
    void moreThanTwiceIsSaidInTimes() {
        double[] many = {300, 320, 290, 310, 305};
        assertThat(only(Figure.CPU_BROKER, STEADY, many, "").sentence())
                .matches("CPU of the broker: 3\\.0\\d times as high with south as with north"
                        + " \\(95 % interval 2\\.\\d+ to 3\\.\\d+ times, 5 pairs\\); north is better");
    }

    @Test
    @DisplayName("an invalid run has no pair, nor has one that is alone in its block")
    void onlyValidRunsOfOneBlockArePairs() {
        List<Run> runs = new ArrayList<>(runs(Figure.CPU_TOTAL, STEADY, HIGHER));
        runs.add(run("north", 5, Map.of(Figure.CPU_TOTAL, 1.0)));
        runs.add(run("south", 5, Map.of(Figure.CPU_TOTAL, 1000.0), "the generator was late"));
        runs.add(run("south", 6, Map.of(Figure.CPU_TOTAL, 1000.0)));
        Comparison with = deciding(Figure.CPU_TOTAL, runs);
        Comparison without = only(Figure.CPU_TOTAL, STEADY, HIGHER, "");
        assertThat(with.sentence()).startsWith(without.sentence() + "; 1 of south's 7 runs is INVALID");
        assertThat(with.pairs()).isEqualTo(5);
        assertThat(List.of(with.medianA(), with.medianB(), with.low(), with.high()))
                .isEqualTo(List.of(without.medianA(), without.medianB(), without.low(), without.high()));
    }

    private static Run invalid(String subject, int block) {
        return run(subject, block, Map.of(Figure.CPU_TOTAL, 1000.0), "the generator was late");
    }

    @Test
    @DisplayName(
            "a verdict says of whose runs more are INVALID than of the other's, and nothing where the shares are alike")
    void whoLostRunsIsSaid() {
        List<Run> runs = runs(Figure.CPU_TOTAL, STEADY, HIGHER);
        runs.add(run("north", 5, Map.of(Figure.CPU_TOTAL, 100.0)));
        runs.add(invalid("south", 5));
        assertThat(deciding(Figure.CPU_TOTAL, runs).sentence())
                .endsWith("; north is better; 1 of south's 6 runs is INVALID, and those that are left may be"
                        + " south's lucky ones");
        runs.add(invalid("south", 6));
        runs.add(invalid("north", 6));
        assertThat(deciding(Figure.CPU_TOTAL, runs).sentence())
                .endsWith("; 2 of south's 7 runs and 1 of north's 7 are INVALID, and those that are left may be"
                        + " south's lucky ones");
        runs.add(invalid("north", 7));
        runs.add(run("south", 7, Map.of(Figure.CPU_TOTAL, 122.0)));
        assertThat(deciding(Figure.CPU_TOTAL, runs).sentence()).endsWith("; north is better");
    }

    @Test
    @DisplayName("a verdict on rates that were searched for says whose search ended at the greatest that it tried")
    void ratesThatAreNoCapacitiesAreSaidToBeNone() {
        List<Run> runs = new ArrayList<>();
        for (Run run : runs(Figure.ACCEPTED_RATE, STEADY, NEXT)) {
            boolean atTheMost = run.subject().equals("north") || run.block() < 2;
            runs.add(atTheMost ? run.with(Map.of(), Map.of(), List.of(), List.of(Ceiling.remark(12_345))) : run);
        }
        assertThat(runs.get(0).remarks())
                .containsExactly(
                        "kept the greatest rate that was tried, 12,345 readings/s: the capacity is that or more");
        Comparison comparison = deciding(Figure.ACCEPTED_RATE, runs);
        assertThat(comparison.verdict()).isEqualTo(Verdict.NONE);
        assertThat(comparison.sentence())
                .endsWith(
                        "; no verdict is given, because the search kept the greatest rate that it tried in 5 of north's 5"
                                + " and 2 of south's 5 VALID runs, where the capacity is that or more");
    }

    @Test
    @DisplayName(
            "that a search ended at the greatest rate that it tried leaves only the verdicts that more would not change")
    void whoIsBetterThanItShowsMayBeTheBetterOne() {
        Comparison loser = deciding(Figure.ACCEPTED_RATE, capped("north"));
        assertThat(loser.verdict()).isEqualTo(Verdict.NONE);
        assertThat(loser.sentence())
                .contains("; no verdict is given, because the search kept")
                .doesNotContain("better");
        Comparison winner = deciding(Figure.ACCEPTED_RATE, capped("south"));
        assertThat(winner.verdict()).isEqualTo(Verdict.B_BETTER);
        assertThat(winner.sentence())
                .endsWith("; south is better; the search kept the greatest rate that it tried in 5 of south's 5"
                        + " VALID runs, where the capacity is that or more");
        List<Run> cpu = new ArrayList<>();
        for (Run run : runs(Figure.CPU_TOTAL, STEADY, HIGHER)) {
            cpu.add(run.with(Map.of(), Map.of(), List.of(), List.of(Ceiling.remark(12_345))));
        }
        assertThat(deciding(Figure.CPU_TOTAL, cpu).verdict()).isEqualTo(Verdict.A_BETTER);
    }

    /** South has more, and the runs of that subject ended at the greatest rate. */
    private static List<Run> capped(String subject) {
        List<Run> runs = new ArrayList<>();
        for (Run run : runs(Figure.ACCEPTED_RATE, STEADY, HIGHER)) {
            runs.add(
                    run.subject().equals(subject)
                            ? run.with(Map.of(), Map.of(), List.of(), List.of(Ceiling.remark(12_345)))
                            : run);
        }
        return runs;
    }

    @Test
    @DisplayName("two valid runs of one subject in a block are refused")
    void twoRunsOfOneSubjectInABlockAreRefused() {
        List<Run> runs =
                List.of(run("north", 1, Map.of(Figure.CPU_TOTAL, 1.0)), run("north", 1, Map.of(Figure.CPU_TOTAL, 1.0)));
        assertThatThrownBy(() -> Comparisons.of(runs, SUBJECTS, Figure.CPU_TOTAL, "", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("block 1 has two valid runs of 'north': it must have one");
    }

    @Test
    @DisplayName("every subject is held against the first that is not the floor, and one figure decides")
    void allAreHeldAgainstTheFirst() {
        List<Run> runs = new ArrayList<>();
        for (String subject : List.of("floor", "north", "south", "other")) {
            runs.add(run(subject, 1, Map.of(Figure.CPU_TOTAL, 1.0, Figure.LAG_MAX, 2.0)));
        }
        runs.add(run("south", 2, Map.of(Figure.SEND_P50, 1.0)));
        List<Subject> subjects = new ArrayList<>(SUBJECTS);
        subjects.add(subject("other", false));
        assertThat(Comparisons.of(runs, subjects, Figure.LAG_MAX, "", 1))
                .extracting(one -> one.a() + " " + one.b() + " " + one.figure() + " " + one.decides())
                .containsExactly(
                        "north south CPU_TOTAL false",
                        "north south LAG_MAX true",
                        "north other CPU_TOTAL false",
                        "north other LAG_MAX true");
    }

    @Test
    @DisplayName("the figure that decides is there even when nobody has it, and says so")
    void theDecidingFigureIsAlwaysThere() {
        assertThat(Comparisons.of(List.of(), SUBJECTS, Figure.CPU_TOTAL, "", 1))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.verdict()).isEqualTo(Verdict.NONE);
                    assertThat(one.medianA()).isNaN();
                    assertThat(one.sentence())
                            .isEqualTo(
                                    "CPU of all processes: no block has valid runs of both north and south with this figure");
                });
        assertThat(Comparisons.of(List.of(), SUBJECTS.subList(0, 2), Figure.CPU_TOTAL, "", 1))
                .isEmpty();
    }

    @Test
    @DisplayName("a number has three digits that say something")
    void digits() {
        assertThat(List.of(0.0, 0.01234, 0.5, 3.1, 9.999, 12.34, 123.4, 12345.6).stream()
                        .map(Digits::of))
                .containsExactly("0", "0.0123", "0.5", "3.1", "10", "12.3", "123", "12,346");
    }

    private static List<Run> besideFloor(Figure figure, double[] floor, double[] north, double[] south) {
        List<Run> runs = runs(figure, north, south);
        for (int i = 0; i < floor.length; i++) {
            runs.add(run("floor", -i, Map.of(figure, floor[i])));
        }
        return runs;
    }

    private static Comparison deciding(Figure figure, List<Run> runs) {
        return Comparisons.of(runs, SUBJECTS, figure, "", 1).get(0);
    }

    @Test
    @DisplayName(
            "whoever is within 1.3x of the floor is harness-limited, and the verdict says that the rig was measured")
    void nearTheFloorTheRigIsMeasured() {
        // Medians are 100 and 123; 1.3 times the floor is 117.
        Comparison one = deciding(Figure.CPU_TOTAL, besideFloor(Figure.CPU_TOTAL, new double[] {90}, STEADY, HIGHER));
        assertThat(one.floor()).isEqualTo(90);
        assertThat(one.harnessLimited()).containsExactly("north");
        assertThat(one.sentence())
                .contains("; north is better; ")
                .endsWith(
                        "; harness-limited: north is within 1.3x of the floor (90 s per million readings in 1 run), so"
                                + " there the rig, not the broker, is what was measured");
        Comparison both = deciding(Figure.CPU_TOTAL, besideFloor(Figure.CPU_TOTAL, new double[] {95}, STEADY, HIGHER));
        assertThat(both.harnessLimited()).containsExactly("north", "south");
        assertThat(both.sentence()).contains("harness-limited: north and south are within 1.3x of the floor (95 s");
    }

    @Test
    @DisplayName("whoever is further from the floor is not harness-limited, and nothing is said")
    void farFromTheFloorTheBrokerIsMeasured() {
        Comparison far = deciding(Figure.CPU_TOTAL, besideFloor(Figure.CPU_TOTAL, new double[] {70}, STEADY, HIGHER));
        assertThat(far.floor()).isEqualTo(70);
        assertThat(far.harnessLimited()).isEmpty();
        assertThat(far.sentence()).endsWith("; north is better");
    }

    @Test
    @DisplayName("a rate that was searched for is harness-limited near the floor's, and one that was asked for never")
    void aRateIsTheRigsOnlyWhenItWasSearchedFor() {
        List<Run> searched = besideFloor(Figure.ACCEPTED_RATE, new double[] {150}, STEADY, HIGHER);
        assertThat(deciding(Figure.ACCEPTED_RATE, searched).harnessLimited()).containsExactly("south");
        List<Run> bounded = searched.stream()
                .map(run -> run.subject().equals("floor")
                        ? run.with(Map.of(), Map.of(), List.of(), List.of(Ceiling.remark(150)))
                        : run)
                .toList();
        assertThat(deciding(Figure.ACCEPTED_RATE, bounded).harnessLimited())
                .as("the rig takes that or more")
                .isEmpty();
        Comparison beside = Comparisons.of(searched, SUBJECTS, Figure.CPU_TOTAL, "", 1).stream()
                .filter(one -> one.figure() == Figure.ACCEPTED_RATE)
                .findFirst()
                .orElseThrow();
        assertThat(beside.floor()).isNaN();
        assertThat(beside.harnessLimited()).isEmpty();
    }

    @Test
    @DisplayName("without a VALID run of the floor nobody is called harness-limited, and the floor is unknown")
    void withoutAFloorNothingIsKnown() {
        List<Run> runs = runs(Figure.CPU_TOTAL, STEADY, HIGHER);
        runs.add(run("floor", 0, Map.of(Figure.CPU_TOTAL, 95.0), "too slow"));
        Comparison one = deciding(Figure.CPU_TOTAL, runs);
        assertThat(one.floor()).isNaN();
        assertThat(one.harnessLimited()).isEmpty();
    }
}
