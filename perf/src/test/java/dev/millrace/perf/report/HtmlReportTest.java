package dev.millrace.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HtmlReportTest {
    private static final String PAGE = HtmlReport.of(MadeUp.result());
    /** What a reader without scripts sees. */
    private static final String VISIBLE = visible(PAGE);

    private static String visible(String page) {
        return page.replaceAll("(?s)<script.*?</script>|<style>.*?</style>", "");
    }

    private static JsonNode embedded(String page, String id) throws IOException {
        Pattern script = Pattern.compile("(?s)<script type=\"application/json\" id=\"" + id + "\">(.*?)</script>");
        List<String> found =
                script.matcher(page).results().map(one -> one.group(1)).toList();
        assertThat(found).hasSize(1);
        return new ObjectMapper().readTree(found.get(0));
    }

    private static List<String> all(String regex, String text) {
        return Pattern.compile(regex)
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .toList();
    }

    @Test
    void caveatsComeBeforeTheVerdictAndTheVerdictBeforeAnyFigure() {
        assertThat(VISIBLE)
                .containsSubsequence(
                        "<h1>Benchmark steady: ferry against sluice</h1>",
                        "One machine, replication 1: compares these settings here, not the brokers in production.",
                        "ferry was better: from the intended send time to accepted, p99 was 1.32 times as long",
                        "1 run of 11 is INVALID: listed with the reasons",
                        ">Comparisons</h2>",
                        ">Over time</h2>",
                        ">Latency</h2>",
                        ">Resources</h2>",
                        ">Evidence</h2>",
                        "Seed <code>42</code>",
                        "What the gates of each run looked at",
                        "Read back from the live brokers",
                        "Settings of the scenario",
                        "Machine and build");
        assertThat(VISIBLE.substring(0, VISIBLE.indexOf("id=\"verdict\""))).doesNotContain("<table>");
    }

    @Test
    void headingsSkipNoLevel() {
        List<Integer> levels = all("<h[1-6]", VISIBLE).stream()
                .map(heading -> Integer.valueOf(heading.substring(2)))
                .toList();
        assertThat(levels).startsWith(1).filteredOn(level -> level == 1).hasSize(1);
        for (int i = 1; i < levels.size(); i++) {
            assertThat(levels.get(i)).isLessThanOrEqualTo(levels.get(i - 1) + 1);
        }
    }

    @Test
    void nothingIsLoadedFromAnywhere() {
        assertThat(PAGE)
                .contains("content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline';"
                        + " img-src data:\"")
                .doesNotContainIgnoringCase("@import")
                .doesNotContain("url(http", "url(//", "url('", "url(\"", "<iframe", "<object", "<embed", "<base");
        assertThat(all("(?i)\\b(src|href|srcset|action|poster)\\s*=\\s*\"[^\"]*\"", VISIBLE))
                .isNotEmpty()
                .allMatch(one -> one.contains("=\"#") || one.contains("=\"data:"));
        assertThat(VISIBLE).doesNotContain("http://", "https://");
        assertThat(Template.resource("report.js") + Template.resource("report.css"))
                .doesNotContain("http:", "https:", "fetch(", "XMLHttpRequest", "import(", "localStorage", "cookie");
    }

    @Test
    void theChartLibraryIsThereOnceWithItsNotices() {
        assertThat(all("Licensed to the Apache Software Foundation", PAGE)).hasSize(1);
        assertThat(PAGE).contains("zrender/blob/master/LICENSE", "Copyright (c) Microsoft Corporation");
        assertThat(VISIBLE).contains("Apache ECharts 5.5.0, Apache License 2.0");
    }

    @Test
    void onlyValidRunsAreInWhatIsDrawn() throws IOException {
        JsonNode drawings = embedded(PAGE, "drawings");
        assertThat(drawings.toString())
                .contains("06-ferry", "01-floor", "\"lag\"")
                .doesNotContain(MadeUp.INVALID_RUN);
        for (String chart : List.of("accepted", "processed", "lag", "latency")) {
            assertThat(drawings.at("/charts/" + chart + "/data/lines"))
                    .as(chart)
                    .hasSize(10);
        }
        assertThat(VISIBLE).contains(MadeUp.INVALID_RUN, "INVALID: (1) " + Template.escaped(MadeUp.REASON));
        assertThat(VISIBLE.substring(VISIBLE.indexOf("id=\"times\""), VISIBLE.indexOf("id=\"evidence\"")))
                .doesNotContain(MadeUp.INVALID_RUN);
    }

    @Test
    void clocksOfNodesHaveErrorBarsAndOneClockHasNoSection() throws IOException {
        JsonNode first = embedded(PAGE, "drawings").at("/charts/clocks/data/distances/1");
        assertThat(first.path("name").asText()).isEqualTo("02-ferry, node-a to node-b");
        assertThat(first.path("offset").asDouble()).isEqualTo(0.3, within(1e-9));
        assertThat(first.path("low").asDouble()).isEqualTo(0.1, within(1e-9));
        assertThat(first.path("high").asDouble()).isEqualTo(0.5, within(1e-9));
        assertThat(HtmlReport.of(MadeUp.empty())).doesNotContain("id=\"clocks\"");
    }

    @Test
    void everyChartHasANameAndATableOfItsNumbers() throws IOException {
        List<String> charts = all("data-chart=\"[^\"]+\" role=\"img\" aria-label=\"[^\"]{40,}\"", VISIBLE);
        assertThat(charts).hasSize(8);
        assertThat(all("(?s)<figure>.*?</figure>", VISIBLE))
                .hasSize(8)
                .allMatch(figure -> figure.contains("<details>") && figure.contains("<td class=\"number\">"));
        embedded(PAGE, "drawings").path("charts").fieldNames().forEachRemaining(id -> assertThat(charts)
                .anyMatch(chart -> chart.contains("\"" + id + "\"")));
    }

    @Test
    void theNumbersAreInTheMarkupItself() {
        assertThat(VISIBLE)
                .contains(
                        ">1.27 to 1.37</td>", ">5.8 %</td>", ">1.32</td>", ">11.3</td>", ">20,000</td>", ">99.9 %</th>")
                .doesNotContain("NaN", "Infinity", "null");
    }

    @Test
    void theResultIsInThePageWithoutItsSamples() throws IOException {
        JsonNode result = embedded(PAGE, "result");
        assertThat(result.path("schema").asText()).isEqualTo(BenchmarkResult.SCHEMA);
        assertThat(result.path("runs")).hasSize(11).allMatch(run -> !run.has("samples"));
        assertThat(result.at("/comparisons/7/low").isNull()).isTrue();
    }

    @Test
    void noTextCanBecomeMarkupOrScript() throws IOException {
        for (String text : List.of(
                "</script><script>alert(1)</script>",
                "<img src=x onerror=alert(1)>",
                "\"'><b onclick='x'>",
                "{{title}}",
                "<!--<script>",
                "$1\\")) {
            BenchmarkResult hostile = MadeUp.saying(text);
            String page = HtmlReport.of(hostile);
            assertThat(all("<script", page)).as(text).hasSize(4);
            assertThat(all("</script>", page)).as(text).hasSize(4);
            assertThat(visible(page)).contains(Template.escaped(text)).doesNotContain("<img", "<b ", "<!--<");
            assertThat(embedded(page, "result").path("id").asText()).isEqualTo(text);
            assertThat(embedded(page, "drawings").at("/subjects/0/name").asText())
                    .isEqualTo(text);
        }
    }

    @Test
    void withoutAValidRunNothingIsDrawnAndThePageSaysSo() throws IOException {
        List<Run> invalid =
                MadeUp.result().runs().stream().filter(run -> !run.isValid()).toList();
        String page = HtmlReport.of(MadeUp.with(invalid, List.of()));
        assertThat(embedded(page, "drawings").path("charts")).isEmpty();
        assertThat(visible(page))
                .contains(
                        "INVALID: no run is VALID, so nothing is drawn and nothing is compared.",
                        "There is no verdict: nothing was compared.",
                        Template.escaped(MadeUp.REASON))
                .doesNotContain("class=\"chart\"");
    }

    @Test
    void aResultWithNothingInItIsAPageStill() {
        assertThat(visible(HtmlReport.of(MadeUp.empty())))
                .contains("<h1>Benchmark steady</h1>")
                .contains("INTERRUPTED: a person ended this benchmark", "There is no run.", "an unknown time");
    }

    @Test
    void theSlowestRunIsDrawnToItsEndAndPhasesAsTheyFollowed() throws IOException {
        Run one = MadeUp.result().runs().get(1);
        List<Run> runs = List.of(
                lasting(one, phases("measure", 10, "settle", 2, "drain", 3)),
                lasting(one, phases("measure", 10, "settle", 2, "build", 5, "settle", 1, "drain", 12)),
                lasting(one, phases("measure", 10, "settle", 2, "drain", 200)));
        JsonNode accepted = embedded(HtmlReport.of(MadeUp.with(runs, List.of())), "drawings")
                .at("/charts/accepted/data");
        assertThat(accepted.path("seconds").asInt()).isEqualTo(212);
        assertThat(accepted.path("phases"))
                .extracting(phase -> phase.path("name").asText() + " "
                        + phase.path("from").asInt() + " to " + phase.path("to").asInt())
                .containsExactly(
                        "measure 0 to 10", "settle 10 to 12", "build 12 to 17", "settle 17 to 18", "drain 18 to 30");
    }

    @Test
    void aLineHasAGapWhereNothingWasKnown() throws IOException {
        JsonNode points = embedded(PAGE, "drawings").at("/charts/lag/data/lines/0/points");
        assertThat(points.get(35).get(1).isNumber()).isTrue();
        assertThat(points.get(36).toString()).isEqualTo("[36.0,null]");
        assertThat(points.get(37).get(0).asInt()).isEqualTo(37);
    }

    @Test
    void withoutAPartThereIsNoSum() throws IOException {
        List<Run> runs = MadeUp.result().runs().stream()
                .map(run -> run.subject().equals(MadeUp.SLUICE) ? withoutBroker(run) : run)
                .toList();
        JsonNode cpu = embedded(HtmlReport.of(MadeUp.with(runs, List.of())), "drawings")
                .at("/charts/cpu/data");
        assertThat(cpu.path("subjects").toString())
                .isEqualTo("[\"ferry, 5 runs\",\"sluice, 4 runs\",\"floor, 1 run\"]");
        assertThat(cpu.path("sums").get(0).asDouble()).isGreaterThan(20);
        assertThat(cpu.path("sums").get(1).isNull()).isTrue();
        // It has no broker that could be missing.
        assertThat(cpu.path("sums").get(2).asDouble()).isGreaterThan(15);
    }

    @Test
    void whatNoPartHasIsOneOfItsOwn() throws IOException {
        assertThat(embedded(PAGE, "drawings").at("/charts/cpu/data/parts").findValuesAsText("name"))
                .doesNotContain("others");
        List<Run> runs = MadeUp.result().runs().stream()
                .map(run -> run.subject().equals(MadeUp.SLUICE) ? withMoreInAll(run, 0.5) : run)
                .toList();
        JsonNode cpu = embedded(HtmlReport.of(MadeUp.with(runs, List.of())), "drawings")
                .at("/charts/cpu/data");
        JsonNode others = cpu.path("parts").get(cpu.path("parts").size() - 1);
        assertThat(others.path("name").asText()).isEqualTo("others");
        // Each part has a colour of its own.
        assertThat(PAGE).contains("--part-" + (cpu.path("parts").size() - 1) + ":");
        assertThat(others.path("values").get(0).asDouble()).isCloseTo(0, within(1e-9));
        assertThat(others.path("values").get(1).asDouble()).isCloseTo(0.5, within(1e-9));
        double parts = 0;
        for (JsonNode part : cpu.path("parts")) {
            parts += part.path("values").get(1).asDouble();
        }
        assertThat(cpu.path("sums").get(1).asDouble()).isCloseTo(parts, within(1e-9));
    }

    private static Run withMoreInAll(Run run, double more) {
        Map<Figure, Double> figures = new TreeMap<>(run.figures());
        figures.computeIfPresent(Figure.CPU_TOTAL, (figure, value) -> value + more);
        return of(run, figures, run.samples());
    }

    /** Its agent did not answer: what is not known is not there. */
    private static Run withoutBroker(Run run) {
        Map<Figure, Double> figures = new TreeMap<>(run.figures());
        figures.keySet().removeAll(Set.of(Figure.CPU_BROKER, Figure.CPU_TOTAL));
        return of(run, figures, run.samples());
    }

    private static Run lasting(Run run, List<Sample> samples) {
        return of(run, run.figures(), samples);
    }

    private static Run of(Run run, Map<Figure, Double> figures, List<Sample> samples) {
        return new Run(
                run.id(),
                run.subject(),
                run.block(),
                run.started(),
                run.reasons(),
                figures,
                run.send(),
                run.audit(),
                true,
                run.effective(),
                run.evidence(),
                samples,
                run.log(),
                run.remarks());
    }

    /** Phases and their seconds in turn. */
    private static List<Sample> phases(Object... phases) {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < phases.length; i += 2) {
            for (int second = 0; second < (int) phases[i + 1]; second++) {
                samples.add(new Sample(samples.size(), (String) phases[i], 1.0, 1.0, 1L, 1L, 1.0, Map.of(), Map.of()));
            }
        }
        return samples;
    }

    @Test
    void aLongRunMakesNoLongPage() throws IOException {
        Run one = MadeUp.result().runs().get(1);
        List<Sample> samples = IntStream.range(0, 40_000)
                .mapToObj(second -> new Sample(
                        second,
                        "measure",
                        1.0 * second,
                        null,
                        second == 70 ? 9_000L : 1L,
                        null,
                        null,
                        Map.of(),
                        Map.of()))
                .toList();
        String page = HtmlReport.of(MadeUp.with(List.of(lasting(one, samples)), List.of()));
        JsonNode charts = embedded(page, "drawings").path("charts");
        assertThat(charts.at("/accepted/data/lines/0/points").size()).isBetween(200, 600);
        assertThat(charts.at("/accepted/data/lines/0/points/1").toString()).isEqualTo("[120.0,179.5]");
        assertThat(charts.at("/lag/data/lines/0/points/0").toString()).isEqualTo("[0.0,9000.0]");
        assertThat(charts.has("processed")).isFalse();
        assertThat(page).contains("Each point is the mean of 120 seconds.");
        assertThat(page.length()).isLessThan(1_000_000);
    }
}
