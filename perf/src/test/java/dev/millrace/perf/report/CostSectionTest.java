package dev.millrace.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.price.Prices;
import dev.millrace.perf.cost.Cost;
import dev.millrace.perf.cost.Instances;
import dev.millrace.perf.cost.PriceText;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.Ceiling;
import dev.millrace.perf.result.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostSectionTest {
    private static final String NOT_INCLUDED = "EBS, S3, traffic between zones, the EKS control plane.";

    @TempDir
    Path folder;

    /** On three at 0.755 USD; the source's name is hostile. */
    private BenchmarkResult on(String instances) {
        PriceText.file(
                folder,
                "a.csv",
                PriceText.row("i7i.2xlarge", "0.755", "2026-07-20").replace("price list", "<b>[price] list"));
        return MadeUp.costing(
                Cost.of(Instances.parse(instances, new ArrayList<>(), new ArrayList<>()), Prices.in(folder)));
    }

    /** The part of a report from its heading to the next one of the same kind. */
    private static String section(String report, String heading, String next) {
        String rest = report.substring(report.indexOf(heading));
        return rest.substring(0, rest.indexOf(next, heading.length()));
    }

    private static String html(BenchmarkResult result) {
        return section(HtmlReport.of(result), "<h2 id=\"cost\">", "</section>");
    }

    private static String markdown(BenchmarkResult result) {
        return section(MarkdownReport.of(result), "## Cost", "\n## ");
    }

    @Test
    void aMachineThatNobodyNamedHasNoPrice() {
        String sentence = "No price: this machine is no instance type that was named (--instances).";
        assertThat(html(MadeUp.result())).contains(sentence).doesNotContain("<table>", "USD");
        assertThat(markdown(MadeUp.result())).contains(sentence).doesNotContain("| ");
        assertThat(html(MadeUp.empty())).contains(sentence);
    }

    @Test
    void costIsATableBySubjectBesideItsPricesAndWhatIsNotIncluded() {
        BenchmarkResult result = on("broker=i7i.2xlarge*3");
        // 2.265 USD for an hour of 20,000 readings/s, give or take the run's own rate.
        assertThat(html(result))
                .containsSubsequence(
                        "At a fixed rate that all brokers keep, cost is the same",
                        NOT_INCLUDED,
                        ">ferry</th>",
                        ">broker=i7i.2xlarge*3</td>",
                        ">2.265</td>",
                        ">31.5</td>",
                        ">sluice</th>",
                        ">i7i.2xlarge</th>",
                        "0.755 USD per hour (somewhere-1, Linux, on-demand), 2026-07-20, &lt;b&gt;[price] list")
                .doesNotContain("<b>", "floor", ">no price<", "There is no price", "No price");
        assertThat(markdown(result))
                .containsSubsequence(
                        NOT_INCLUDED,
                        "| Subject | VALID runs | Instances | Price, USD per hour |",
                        "| ferry | 5 | broker=i7i.2xlarge\\*3 | 2.265 | 20,002 | 31.5 |",
                        "| sluice | 4 | broker=i7i.2xlarge\\*3 | 2.265 | ",
                        "| i7i.2xlarge | 0.755 USD per hour",
                        "2026-07-20, &lt;b&gt;\\[price\\] list of somewhere |")
                .doesNotContain("<b>");
    }

    @Test
    void whatTheTopOfASearchCostsIsAnUpperBoundAndSaid() {
        String sentence =
                " of ferry the search kept the greatest rate that it tried: at its own capacity it costs that or less.";
        BenchmarkResult found = on("broker=i7i.2xlarge*3");
        assertThat(html(found)).doesNotContain("kept the greatest rate");
        List<Run> runs = found.runs().stream()
                .map(run -> run.subject().equals(MadeUp.FERRY) || !run.isValid() ? capped(run) : run)
                .toList();
        BenchmarkResult capped = MadeUp.with(found, runs);
        assertThat(html(capped))
                .containsSubsequence(
                        "where its search ends below the greatest rate that it tries",
                        "In 5 of 5 VALID runs" + sentence)
                // Of the other one only an INVALID run is.
                .doesNotContain("of sluice the search");
        assertThat(markdown(capped)).contains("In 5 of 5 VALID runs" + sentence);
    }

    private static Run capped(Run run) {
        return run.with(Map.of(), Map.of(), List.of(), List.of(Ceiling.remark(20_000)));
    }

    @Test
    void aTypeWithoutAPriceIsNamedAndTheColumnsSayNoPrice() {
        BenchmarkResult result = on("broker=i7i.2xlarge*3,clients=m7i.xlarge");
        assertThat(html(result))
                .containsSubsequence(
                        "There is no price for m7i.xlarge, so no run has a cost.",
                        NOT_INCLUDED,
                        ">ferry</th>",
                        ">no price</td>",
                        ">no price</td>",
                        ">m7i.xlarge</th>",
                        ">no price</td>")
                .doesNotContain("2.265", "31.5");
        assertThat(markdown(result))
                .contains(
                        "There is no price for m7i.xlarge",
                        "| no price | 20,002 | no price |",
                        "| m7i.xlarge | no price |");
    }

    @Test
    void everyRunHasItsCostInItsRowAndInTheCsv() throws IOException {
        BenchmarkResult result = on("broker=i7i.2xlarge*3");
        assertThat(MarkdownReport.of(result)).contains("| price of the instances, USD per 10^9 readings |");
        StringBuilder csv = new StringBuilder();
        CsvFiles.runs(result, csv);
        assertThat(csv.toString().lines().findFirst().orElseThrow()).contains(",costPerBillion,");
        assertThat(csv.toString()).contains(",31.4");
        assertThat(MarkdownReport.of(MadeUp.result())).doesNotContain("price of the instances");
    }
}
