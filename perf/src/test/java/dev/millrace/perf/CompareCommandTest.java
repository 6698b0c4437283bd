package dev.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.perf.result.BaselineFigure;
import dev.millrace.perf.result.Ceiling;
import dev.millrace.perf.result.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
    /** In another order than STEADY times 1.1: runs have no partners. */
    private static final double[] TEN_PERCENT_MORE = {21.9, 22, 21.6, 22.5, 22.2};

    @TempDir
    Path base;

    private Path a;

    @BeforeEach
    void usual() {
        a = Results.usual().in(base.resolve("a"));
    }

    private static Results slower() {
        return new Results()
                .subject("floor", true, 3)
                .subject("north", false, TEN_PERCENT_MORE)
                .subject("south", false, 30.1, 30, 29.6, 30.4, 30.9);
    }

    private Outcome compare(Results b, String... more) {
        return compare(b.in(base.resolve("b")), more);
    }

    private Outcome compare(Path b, String... more) {
        String[] arguments = Arrays.copyOf(new String[] {"compare", a.toString(), b.toString()}, 3 + more.length);
        System.arraycopy(more, 0, arguments, 3, more.length);
        return Outcome.of(arguments);
    }

    private static String first(Outcome outcome) {
        return outcome.out().lines().findFirst().orElse("");
    }

    private static void refused(Outcome outcome, String sentence) {
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).startsWith("millrace: " + sentence);
        assertThat(outcome.err().lines()).hasSize(1);
        assertThat(outcome.out()).isEmpty();
    }

    /** The comparison is printed, and a gate does not pass. */
    private static void notJudged(Outcome outcome, String sentence) {
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .startsWith("millrace: --fail-on-regression: whether it became worse is not known: " + sentence);
        assertThat(outcome.out()).isNotEmpty();
    }

    @Test
    void aRegressionOfTenPercentIsTheFirstSentenceAndFailsOnlyWhenAskedTo() {
        Outcome outcome = compare(slower(), "--fail-on-regression");
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(4);
        assertThat(first(outcome))
                .matches("regression: north, CPU of all processes: 10 % higher in B than in A"
                        + " \\(95 % interval 7 to 13 %, 5 and 5 runs\\); B is worse");
        assertThat(outcome.out().lines().skip(1).findFirst().orElse(""))
                .matches("south, CPU of all processes: no difference could be seen: (equally high|0.* % (lower|higher))"
                        + " in B \\(95 % interval -\\d.* to \\d.* %, 5 and 5 runs\\);"
                        + " so many runs of this spread show a difference of \\d.* % four times in five");
        Outcome without = compare(slower());
        assertThat(without.exitCode()).isZero();
        assertThat(without.out()).isEqualTo(outcome.out());
    }

    @Test
    void aResultAgainstItselfIsNoRegressionByFolderOrByFile() {
        Outcome outcome = compare(a, "--fail-on-regression");
        assertThat(outcome.exitCode()).isZero();
        assertThat(first(outcome)).startsWith("north, CPU of all processes: no difference could be seen: equally high");
        assertThat(outcome.out()).doesNotContain("What changed", "Must be alike", "regression", "NaN");
        assertThat(compare(a.resolve("result.json"), "--fail-on-regression")).isEqualTo(outcome);
    }

    @Test
    void lessIsBetterWhereLessIsGood() {
        Outcome outcome = Outcome.of(
                "compare",
                slower().in(base.resolve("b")).toString(),
                a.toString(),
                "--subject",
                "north",
                "--fail-on-regression");
        assertThat(outcome.exitCode()).isZero();
        assertThat(first(outcome))
                .matches("north, CPU of all processes: 9\\.\\d % lower in B than in A \\(95 % .*\\); B is better");
        assertThat(outcome.out()).doesNotContain("south");
    }

    @Test
    void onlyWatchedFiguresAreRegressionsAndOthersAreShown() {
        Results b = new Results().subject("floor", true, 3).subject("south", false, 31, 30, 29.6, 30.4, 30.2);
        b.subject("north", false);
        for (double cpu : Results.STEADY) {
            b.run("north", Map.of(Figure.CPU_TOTAL, cpu, Figure.SEND_P99, cpu * 0.6));
        }
        Path there = b.in(base.resolve("b"));
        Outcome decided = compare(there, "--fail-on-regression");
        assertThat(decided.exitCode()).isZero();
        assertThat(decided.out().lines().filter(line -> line.contains("sendP99Millis")))
                .anySatisfy(line -> assertThat(line).startsWith("north").endsWith("worse         -"));
        Outcome named = compare(there, "--fail-on-regression", "--figure", "sendP99Millis");
        assertThat(named.exitCode()).isEqualTo(4);
        assertThat(first(named)).startsWith("regression: north, intended send time to accepted, p99: 20 % higher in B");
        assertThat(named.out()).contains("north, CPU of all processes: no difference could be seen");
    }

    @Test
    void aNewPriceIsSaidAndLeavesTheVerdict() {
        Outcome outcome = compare(
                slower().setting("price of c5.large", "2 USD per hour").setting("instances, USD per hour", "2"),
                "--fail-on-regression");
        assertThat(outcome.exitCode()).isEqualTo(4);
        assertThat(outcome.out()).contains("What changed", "price of c5.large", "instances, USD per hour");
        assertThat(first(compare(slower().setting("instances", "all=c5.large*1"))))
                .isEqualTo("no verdict, figures only: A and B must be alike in instances, and are not");
    }

    @Test
    void differentMachinesHaveFiguresAndNoVerdict() {
        Outcome outcome = compare(
                slower().environment("cpu", "Model 8").setting("rate", "6000").setting("devices", "9"),
                "--fail-on-regression");
        notJudged(outcome, "no verdict, figures only: A and B must be alike in cpu, devices, rate, and are not");
        assertThat(first(outcome))
                .isEqualTo("no verdict, figures only: A and B must be alike in cpu, devices, rate, and are not");
        assertThat(outcome.out())
                .contains(
                        """
                        Must be alike and is not:
                        what     A         B
                        cpu      Model 7   Model 8
                        devices  not said  9
                        rate     5000      6000
                        """)
                .doesNotContain("worse", "regression");
        assertThat(outcome.out().indexOf("Must be alike"))
                .isLessThan(outcome.out().indexOf("Medians of VALID runs"));
        assertThat(outcome.out().lines().filter(line -> line.contains("cpuSecondsPerMillion")))
                .anySatisfy(line -> assertThat(line)
                        .matches("north .* 20  +22  +1\\.100  1\\.07\\d to 1\\.12\\d  5 and 5 +-  yes"));
    }

    @Test
    void anotherScenarioAndOtherEffectiveSettingsLeaveNoVerdict() {
        assertThat(first(compare(slower().scenario("steady"), "--fail-on-regression")))
                .isEqualTo("no verdict, figures only: A and B must be alike in scenario, and are not");
        Results synced = new Results().subject("floor", true, 3).effective("fsync", "always");
        synced.subject("north", false, TEN_PERCENT_MORE);
        Outcome outcome = compare(synced, "--fail-on-regression");
        notJudged(outcome, "no verdict, figures only: A and B must be alike in north: fsync, and are not");
        assertThat(compare(synced).exitCode()).isZero();
        assertThat(first(outcome))
                .isEqualTo("no verdict, figures only: A and B must be alike in north: fsync, and are not");
        assertThat(outcome.out()).contains("only A has south");
    }

    @Test
    void theBuildTheReleaseAndTheNumberOfPairsMayChangeAndAreShown() {
        Results b = new Results()
                .environment("commit", "beef")
                .environment("job jar sha256", "bb22")
                .environment("memory", "15850 MiB")
                .setting("pairs", "6")
                .subject("floor", true, 3)
                .effective("server version", "1.1")
                .subject("north", false, 22, 22.5, 21.6, 22.2, 21.9, 22.1);
        Outcome outcome = compare(b, "--fail-on-regression");
        assertThat(outcome.exitCode()).isEqualTo(4);
        assertThat(outcome.out())
                .contains(
                        """
                        What changed:
                        what                   A       B
                        commit                 c0ffee  beef
                        job jar sha256         aa11    bb22
                        pairs                  5       6
                        north: server version  1.0     1.1
                        """)
                .contains("5 and 6 runs")
                .doesNotContain("Must be alike", "MiB");
        assertThat(first(compare(slower().environment("memory", "15800 MiB"))))
                .contains("must be alike in memory, and are not");
    }

    @Test
    void fourValidRunsAreFiguresAndInvalidOnesAreCounted() {
        Results b = new Results().interrupted().subject("floor", true, 3).subject("south", false, 31, 30, 31, 30, 31);
        b.subject("north", false, 22, 22.5, 21.6, 22.2).run("north", Map.of(Figure.CPU_TOTAL, 99.0), "interrupted");
        Outcome outcome = compare(b, "--fail-on-regression");
        notJudged(outcome, "north, CPU of all processes: A 20 s per million readings, B 22.1");
        assertThat(compare(b).exitCode()).isZero();
        assertThat(first(outcome))
                .isEqualTo("north, CPU of all processes: A 20 s per million readings, B 22.1 s per million readings"
                        + " (medians of 5 and 4 runs): figures only, a verdict takes 5 VALID runs in each");
        assertThat(outcome.out())
                .contains("B: 1 run is INVALID and left out, 10 are compared")
                .contains("B was interrupted: it has fewer runs than were asked for")
                .doesNotContain(" 99 ");
    }

    @Test
    void theRunsThatAreLeftOfManyAreNoProofThatNothingBecameWorse() {
        Results b = Results.usual();
        for (int i = 0; i < 5; i++) {
            b.run("north", Map.of(Figure.CPU_TOTAL, 40.0), "the job did not keep up");
        }
        Outcome outcome = compare(b, "--fail-on-regression");
        notJudged(
                outcome,
                "north: of B 5 of 10 runs are INVALID, of A 0 of 5: those that are left may be B's lucky ones");
        assertThat(first(outcome)).startsWith("north, CPU of all processes: no difference could be seen");
        assertThat(outcome.out()).contains("may be B's lucky ones");
        assertThat(compare(b, "--fail-on-regression", "--subject", "south").exitCode())
                .isZero();
        // The other way round nothing speaks for B having become worse.
        Outcome fewer = Outcome.of("compare", base.resolve("b").toString(), a.toString(), "--fail-on-regression");
        assertThat(fewer.exitCode()).isZero();
    }

    @Test
    void ofASubjectThatIsGoneNothingIsKnownUntilTheOthersAreNamed() {
        Results b = new Results().subject("floor", true, 3).subject("north", false, Results.STEADY);
        notJudged(
                compare(b, "--fail-on-regression"),
                "only A has south, and whether that became worse is not known: name what is to be judged, --subject north");
        assertThat(compare(b).exitCode()).isZero();
        assertThat(compare(b, "--fail-on-regression", "--subject", "north").exitCode())
                .isZero();
        Results without =
                new Results().subject("north", false, Results.STEADY).subject("south", false, 31, 30, 29.6, 30.4, 30.2);
        assertThat(compare(without, "--fail-on-regression").exitCode())
                .as("a floor is not judged")
                .isZero();
        Results more = Results.usual().subject("west", false, Results.STEADY);
        assertThat(compare(more, "--fail-on-regression").exitCode()).isZero();
    }

    @Test
    void ofManyRunsMoreAreDisturbed() {
        Results many = Results.usual();
        Results few = Results.usual();
        for (int i = 0; i < 12; i++) {
            many.run("north", Map.of(Figure.CPU_TOTAL, 20.0));
        }
        for (int i = 0; i < 3; i++) {
            many.run("north", Map.of(Figure.CPU_TOTAL, 40.0), "the job did not keep up");
            few.run("north", Map.of(Figure.CPU_TOTAL, 40.0), "the job did not keep up");
        }
        Path ofMany = many.in(base.resolve("many"));
        Path ofFew = few.in(base.resolve("few"));
        notJudged(
                Outcome.of("compare", ofMany.toString(), ofFew.toString(), "--fail-on-regression"),
                "north: of B 3 of 8 runs are INVALID, of A 3 of 20:");
        assertThat(Outcome.of("compare", ofFew.toString(), ofMany.toString(), "--fail-on-regression")
                        .exitCode())
                .isZero();
    }

    @Test
    void whereNothingWasJudgedNothingIsKnown() {
        Results without = new Results().subject("north", false).subject("south", false);
        for (int i = 0; i < 5; i++) {
            without.run("north", Map.of(Figure.SEND_P99, 10.0));
            without.run("south", Map.of(Figure.SEND_P99, 10.0));
        }
        a = without.in(base.resolve("a"));
        notJudged(compare(a, "--fail-on-regression"), "north, CPU of all processes: no verdict");
    }

    @Test
    void aFullMachineIsNoProofThatNothingTakesMoreCpu() {
        Results full = new Results().evidence("idleShare", 0.04).subject("north", false, Results.STEADY);
        Outcome outcome = compare(full, "--fail-on-regression", "--subject", "north");
        notJudged(
                outcome,
                "north: in 5 of 10 VALID runs the processors were idle for less than 10 % of the measured time, where a"
                        + " difference in CPU seconds shows smaller than it is, or not at all");
        // What shows in spite of it is shown.
        Results worse = new Results().evidence("idleShare", 0.04).subject("north", false, TEN_PERCENT_MORE);
        assertThat(compare(worse, "--fail-on-regression", "--subject", "north").exitCode())
                .isEqualTo(4);
    }

    /** Five VALID runs of {@code north} at that rate, of a search that ended there. */
    private static Results capacity(long rate, boolean capped) {
        Results results = new Results().scenario("capacity").subject("north", false);
        if (capped) {
            results.remark(Ceiling.remark(rate));
        }
        for (double cpu : Results.STEADY) {
            results.run(
                    "north",
                    Map.of(Figure.CPU_TOTAL, cpu, Figure.ACCEPTED_RATE, (double) rate, Figure.COST, 1e9 / rate));
        }
        return results;
    }

    private Outcome capacities(long rateA, boolean cappedA, long rateB, boolean cappedB) {
        a = capacity(rateA, cappedA).in(base.resolve("capacity-a"));
        return compare(
                capacity(rateB, cappedB),
                "--fail-on-regression",
                "--figure",
                "acceptedPerSecond",
                "--figure",
                "costPerBillion");
    }

    @Test
    void aRateThatEndedAtTheTopOfItsSearchIsNoCapacityAndNoRegression() {
        // Half of what a weaker look at the generator alone saw in B.
        Outcome outcome = capacities(60_000, true, 58_200, true);
        notJudged(
                outcome,
                "north, readings accepted by the broker: 3.00 % lower in B (no spread in either, 5 and 5 runs); no verdict,"
                        + " as the search kept the greatest rate that it tried in 5 of A's 5 and 5 of B's 5 VALID runs, where"
                        + " the capacity is that or more; north, price of the instances: 3.09 % higher in B");
        assertThat(outcome.out()).doesNotContain("regression", "worse");
        notJudged(
                capacities(60_000, true, 60_000, true),
                "north, readings accepted by the broker: the same in all runs of A and B (5 and 5 runs); no verdict, as");
    }

    @Test
    void whatMoreThanTheTopOfASearchWouldNotChangeIsSaid() {
        Outcome worse = capacities(60_000, true, 40_000, false);
        assertThat(worse.exitCode()).isEqualTo(4);
        assertThat(first(worse))
                .startsWith("regression: north, readings accepted by the broker: 33")
                .endsWith(
                        "; B is worse; the search kept the greatest rate that it tried in 5 of A's 5 VALID runs, where the"
                                + " capacity is that or more");
        Outcome better = capacities(40_000, false, 60_000, true);
        assertThat(better.exitCode()).isZero();
        assertThat(first(better)).contains("; B is better; the search kept").contains("in 5 of B's 5 VALID runs");
        notJudged(capacities(60_000, false, 40_000, true), "north, readings accepted by the broker: 33");
        notJudged(capacities(40_000, true, 60_000, false), "north, readings accepted by the broker: 50");
        assertThat(capacities(60_000, false, 60_000, false).exitCode()).isZero();
    }

    @Test
    void aSubjectWithoutAnyValidRunIsRefusedUnlessItIsTheFloor() {
        Results b = new Results().subject("floor", true).subject("south", false, 31, 30, 31, 30, 31);
        b.subject("north", false).run("north", Map.of(Figure.CPU_TOTAL, 20.0), "late");
        Path there = b.in(base.resolve("b"));
        refused(
                compare(there),
                "'north' cannot be compared: B has no VALID run of north (1 INVALID); it must have one in each result,"
                        + " and 5 for a verdict. Measure it again, or name the other subjects: --subject NAME");
        Outcome other = compare(there, "--subject", "south");
        assertThat(other.exitCode()).isZero();
        Results withoutFloor = new Results().subject("floor", true).subject("north", false, TEN_PERCENT_MORE);
        Outcome outcome = compare(withoutFloor, "--fail-on-regression");
        assertThat(outcome.exitCode()).isEqualTo(4);
        assertThat(outcome.out()).contains("floor, the floor, is left out: B has no VALID run of floor (0 INVALID)");
    }

    @Test
    void aFigureThatAResultLacksOrThatIsZeroHasNoVerdict() {
        assertThat(compare(slower(), "--figure", "memoryMiB").out())
                .contains(
                        "north, resident memory, each process's greatest added up: no verdict, as no VALID run of A and"
                                + " of B has this figure");
        assertThat(compare(slower(), "--figure", "lagMaxReadings").out())
                .contains(
                        "greatest: A 0 readings, B 0 readings (medians of 5 and 5 runs): figures only, values that are"
                                + " not all above zero have no ratio");
    }

    @Test
    void aNamedFigureThatNeitherResultHasDoesNotPassTheGate() {
        Outcome outcome = compare(a, "--fail-on-regression", "--figure", "memoryMiB");
        notJudged(
                outcome,
                "north, resident memory, each process's greatest added up: no verdict, as no VALID run of A and of B has"
                        + " this figure");
        assertThat(compare(a, "--figure", "memoryMiB").exitCode()).isZero();
    }

    @Test
    void resultsOfOneSubjectHaveNoVerdictUntilAFigureIsNamed() {
        a = new Results().subject("north", false, Results.STEADY).in(base.resolve("one"));
        Results b = new Results().subject("north", false, TEN_PERCENT_MORE);
        String sentence = "neither result says which figure decides, as a benchmark of one subject compares nothing;"
                + " name one: --figure KEY";
        Outcome outcome = compare(b);
        assertThat(outcome.exitCode()).isZero();
        assertThat(first(outcome)).isEqualTo("no verdict: " + sentence);
        refused(compare(b, "--fail-on-regression"), "--fail-on-regression: no verdict: " + sentence);
        assertThat(compare(b, "--fail-on-regression", "--figure", "cpuSecondsPerMillion")
                        .exitCode())
                .isEqualTo(4);
    }

    @Test
    void oneSubjectCanBeHeldAgainstAnotherWithoutAVerdict() {
        Outcome outcome = compare(a, "--subject", "north:south");
        assertThat(outcome.exitCode()).isZero();
        assertThat(first(outcome))
                .isEqualTo("no verdict, figures only: A and B must be alike in north and south: broker, and are not");
        assertThat(outcome.out().lines().filter(line -> line.startsWith("north:south ")))
                .isNotEmpty();
    }

    @Test
    void theFloorIsNeverARegression() {
        Outcome outcome = compare(slower(), "--subject", "floor");
        assertThat(outcome.exitCode()).isZero();
        assertThat(first(outcome)).isEqualTo("no verdict: the floor only shows what the rig itself takes");
    }

    @Test
    void wrongInputIsASentenceThatSaysWhatWouldBeRight() throws IOException {
        refused(
                compare(slower(), "--figure", "sendP99Milis"),
                "--figure: there is no figure 'sendP99Milis'; did you mean 'sendP99Millis'?");
        refused(
                compare(slower(), "--figure", "x"),
                "--figure: there is no figure 'x'; there are: acceptedPerSecond, processedPerSecond, ");
        refused(compare(slower(), "--subject", "nroth"), "--subject: A has no subject 'nroth'; did you mean 'north'?");
        refused(
                compare(slower(), "--subject", "north:elsewhere"),
                "--subject: B has no subject 'elsewhere'; it has floor, north, south");
        refused(
                compare(slower(), "--subject", "north:"),
                "--subject is 'north:'; it must be the name of a subject, or two such as NAME-IN-A:NAME-IN-B");
        refused(
                compare(new Results().subject("west", false, 1, 2)),
                "the two results have no subject in common: A has floor, north, south, B has west;"
                        + " name two: --subject NAME-IN-A:NAME-IN-B");
        refused(compare(base.resolve("gone")), "there is no result in " + base.resolve("gone") + "; name the folder");
        Path broken = Files.writeString(base.resolve("broken.json"), "{\"schema\": \"millrace-benchmark-1\"}");
        refused(compare(broken), broken + " is no whole benchmark result: ");
        assertThat(Outcome.of("compare", a.toString()).exitCode()).isEqualTo(2);
    }

    @Test
    void aBoundThatAnOlderResultDoesNotKnowMakesItNoOtherRun() throws IOException {
        Outcome outcome = compare(slower().setting("checks.neighbourShare", "0.05"), "--json", "--fail-on-regression");
        assertThat(outcome.exitCode()).isEqualTo(4);
        JsonNode json = new ObjectMapper().readTree(outcome.out());
        assertThat(json.path("mustBeAlike")).isEmpty();
        assertThat(json.path("changed").findValuesAsText("name")).contains("checks.neighbourShare");
    }

    @Test
    void jsonIsOneDocument() throws IOException {
        Outcome outcome = compare(slower().environment("commit", "beef"), "--json", "--fail-on-regression");
        assertThat(outcome.exitCode()).isEqualTo(4);
        JsonNode json = new ObjectMapper().readTree(outcome.out());
        assertThat(json.path("schema").asText()).isEqualTo("millrace-compare-1");
        assertThat(json.path("comparable").asBoolean()).isTrue();
        assertThat(json.path("regression").asBoolean()).isTrue();
        assertThat(json.path("a").path("id").asText()).isEqualTo("quick-a");
        assertThat(json.path("b").path("validRuns").asInt()).isEqualTo(11);
        assertThat(json.path("mustBeAlike")).isEmpty();
        assertThat(json.path("changed").get(0).path("name").asText()).isEqualTo("commit");
        assertThat(json.path("verdict").get(0).asText()).startsWith("regression: north, ");
        assertThat(json.path("changes"))
                .anySatisfy(change -> {
                    assertThat(change.path("a").asText()).isEqualTo("north");
                    assertThat(change.path("figure").asText()).isEqualTo("cpuSecondsPerMillion");
                    assertThat(change.path("verdict").asText()).isEqualTo("WORSE");
                    assertThat(change.path("watched").asBoolean()).isTrue();
                    assertThat(change.path("low").asDouble()).isBetween(1.06, 1.1);
                })
                .anySatisfy(change -> {
                    assertThat(change.path("figure").asText()).isEqualTo("lagMaxReadings");
                    assertThat(change.path("ratio").isNull()).isTrue();
                });
    }

    @Test
    void exitCodesAreInTheHelp() {
        Outcome help = Outcome.of("compare", "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.out())
                .contains("95 % interval", "Exit code 0: compared. 2: ", " 3: ")
                .contains("4: a regression, with --fail-on-regression.");
    }

    @Test
    void aMachineWhoseOwnFiguresAreOthersIsSaidAndTakesNoVerdictAway() {
        a = Results.usual()
                .baseline(BaselineFigure.FSYNC_P50, 400)
                .baseline(BaselineFigure.FSYNC_P99, 900)
                .baseline(BaselineFigure.LOOPBACK, 2000)
                .in(base.resolve("other"));
        Outcome outcome = compare(Results.usual()
                .baseline(BaselineFigure.FSYNC_P50, 801)
                .baseline(BaselineFigure.FSYNC_P99, 9000)
                .baseline(BaselineFigure.LOOPBACK, 1001));
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out())
                .contains(
                        "the machine by itself was not the same: 4 KiB written and forced to the disk, p50, 400 us in A,"
                                + " 801 us in B; a ratio may be the machine's\n")
                .doesNotContain("no verdict", "loopback connection", "disk, p99");
    }

    @Test
    void aMachineThatIsTheSameOrSaysNothingIsNoMatter() {
        a = Results.usual().baseline(BaselineFigure.FSYNC_P50, 400).in(base.resolve("other"));
        assertThat(compare(Results.usual().baseline(BaselineFigure.FSYNC_P50, 799))
                        .out())
                .doesNotContain("by itself");
        assertThat(compare(Results.usual().in(base.resolve("silent"))).out()).doesNotContain("by itself");
    }
}
