package dev.millrace.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.result.Run;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MarkdownReportTest {
    @Test
    void saysTheSameAsThePageInShort() {
        assertThat(MarkdownReport.of(MadeUp.result()))
                .containsSubsequence(
                        "# Benchmark steady: ferry against sluice",
                        "- One machine, replication 1",
                        "## Verdict",
                        "**ferry was better: from the intended send time to accepted, p99 was 1.32 times as long",
                        "> 1 run of 11 is INVALID",
                        "### sluice against ferry",
                        "| intended send time to accepted, p99 (decides) |",
                        "Seed 42; in this order: floor, ferry, sluice",
                        "| 07-sluice | sluice | 3 | INVALID: (1) " + MadeUp.REASON,
                        "## Machine and build",
                        "| kernel | 6.1.0-28-amd64 |",
                        "## The rig by itself, before the first run",
                        "| 4 KiB written and forced to the disk, p50 | us | 812 |")
                .doesNotContain("NaN");
    }

    @Test
    void whatWasNotMadeIsNotSaidToHaveRun() {
        assertThat(MarkdownReport.of(MadeUp.with(MadeUp.result().runs().subList(0, 4), List.of())))
                .containsSubsequence(
                        "> NOT WHOLE: 7 runs of 11 were not made.",
                        "Seed 42; in this order: floor, ferry, sluice, sluice.");
        assertThat(MarkdownReport.of(MadeUp.result())).doesNotContain("NOT WHOLE");
    }

    @Test
    void aMachineThatHadNothingLeftIsSaid() {
        List<Run> runs = MadeUp.result().runs().stream()
                .map(run ->
                        run.with(Map.of(), Map.of("idleShare", run.block() < 3 ? 0.09 : 0.11), List.of(), List.of()))
                .toList();
        assertThat(MarkdownReport.of(MadeUp.with(runs, List.of())))
                .contains("In 5 of 10 VALID runs the processors were idle for less than 10 % of the measured time");
        assertThat(MarkdownReport.of(MadeUp.result())).doesNotContain("processors were idle");
    }

    @Test
    void everyRowOfATableHasAsManyCellsAsItsHead() {
        List<String> lines =
                MarkdownReport.of(MadeUp.saying("a | b\n# c")).lines().toList();
        assertThat(lines).filteredOn(line -> line.startsWith("#")).noneMatch(line -> line.startsWith("# c"));
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).startsWith("|") && lines.get(i - 1).startsWith("|")) {
                assertThat(cells(lines.get(i))).as(lines.get(i)).isEqualTo(cells(lines.get(i - 1)));
            }
        }
    }

    private static long cells(String line) {
        return line.replace("\\|", "").chars().filter(c -> c == '|').count();
    }

    @Test
    void noTextIsMarkup() {
        assertThat(MarkdownReport.of(MadeUp.saying("<img onerror=x> `a` [b](c)")))
                .contains("&lt;img onerror=x&gt; \\`a\\` \\[b\\](c)")
                .doesNotContain("<img", " `a`");
    }
}
