package dev.millrace.perf.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.deploy.page.PageParts;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.ResultJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A result as one HTML page: nothing is loaded from anywhere, all numbers are in tables for those who read without scripts, and
 * the charts are drawn by the library that the page carries.
 */
public final class HtmlReport {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private HtmlReport() {}

    /** The page: 660 kB are the chart library's, and some 20 kB a run's, however long it was. */
    public static String of(BenchmarkResult result) {
        Findings findings = new Findings(result);
        Tables tables = new Tables(findings);
        Charts charts = new Charts(findings);
        List<Optional<Chart>> ratios = charts.ratios();
        List<Chart> times = charts.times();
        List<Chart> latency = charts.latency().stream().toList();
        List<Chart> resources = charts.resources();
        List<Chart> clocks = charts.clocks().stream().toList();
        List<Chart> drawn = Stream.of(
                        ratios.stream().flatMap(Optional::stream).toList(), times, latency, resources, clocks)
                .flatMap(List::stream)
                .toList();
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("css", PageParts.style() + Template.resource("report.css"));
        page.put("echarts", PageParts.charts());
        page.put("js", PageParts.script() + PageParts.forScript(Template.resource("report.js")));
        page.put("result", json(withoutSamples(result)));
        page.put("drawings", json(drawings(result, drawn)));
        page.put("title", findings.title());
        page.put("id", result.id());
        page.put("schema", result.schema());
        page.put("description", result.description());
        page.put("when", findings.when());
        page.put("caveats", result.caveats());
        page.put("hasCaveats", !result.caveats().isEmpty());
        page.put("verdicts", findings.verdicts());
        page.put("warnings", findings.warnings());
        page.put("comparisons", comparisons(tables.comparisons(), ratios));
        page.put("times", times.stream().map(HtmlReport::values).toList());
        page.put("latency", latency.stream().map(HtmlReport::values).toList());
        page.put("resources", resources.stream().map(HtmlReport::values).toList());
        page.put("hasClocks", !clocks.isEmpty());
        page.put("clocks", clocks.stream().map(HtmlReport::values).toList());
        CostSection cost = new CostSection(findings);
        page.put("costNotes", cost.sentences());
        page.put("costs", cost.tables().stream().map(HtmlReport::values).toList());
        page.put("runs", values(tables.runs()));
        page.put("remarks", list(tables.remarks()));
        page.put("seed", Long.toString(result.seed()));
        page.put("order", findings.order());
        page.put("hasOrder", !findings.order().isEmpty());
        page.put("evidence", list(tables.evidence()));
        page.put("effective", list(tables.effective()));
        page.put("subjects", values(tables.subjects()));
        page.put("settings", list(tables.settings()));
        page.put("environment", list(tables.environment()));
        page.put("baseline", list(tables.baseline()));
        return Template.of("report.html").render(page);
    }

    private static List<Map<String, Object>> comparisons(List<Grid> grids, List<Optional<Chart>> ratios) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (int i = 0; i < grids.size(); i++) {
            all.add(Map.of(
                    "table",
                    values(grids.get(i)),
                    "chart",
                    ratios.get(i).stream().map(HtmlReport::values).toList()));
        }
        return all;
    }

    private static Map<String, Object> values(Chart chart) {
        return Map.of(
                "id", chart.id(),
                "title", chart.title(),
                "note", chart.note(),
                "label", chart.label(),
                "table", values(chart.table()));
    }

    /** Empty for a table without rows: a heading above nothing says nothing. */
    private static List<Map<String, Object>> list(Grid grid) {
        return grid.rows().isEmpty() || grid.columns().size() == 1 ? List.of() : List.of(values(grid));
    }

    private static Map<String, Object> values(Grid grid) {
        List<Map<String, Object>> columns = new ArrayList<>();
        for (Grid.Column column : grid.columns()) {
            columns.add(Map.of("name", column.title(), "unit", column.unit(), "kind", kind(column)));
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Grid.Row row : grid.rows()) {
            List<Map<String, Object>> cells = new ArrayList<>();
            for (int i = 1; i < row.cells().size(); i++) {
                String text = row.cells().get(i);
                cells.add(Map.of("text", text, "kind", kind(grid.columns().get(i), text)));
            }
            rows.add(Map.of("kind", row.kind(), "head", row.cells().get(0), "cells", cells));
        }
        return Map.of("caption", grid.caption(), "columns", columns, "rows", rows);
    }

    private static String kind(Grid.Column column) {
        return (column.isNumber() ? "number" : "text") + (column.title().length() > 24 ? " long" : "");
    }

    /** A cell that holds a sentence gets room for it. */
    private static String kind(Grid.Column column, String text) {
        return column.isNumber() ? "number" : text.length() > 30 ? "sentence" : "text";
    }

    /** Samples are in a file beside the page, and what is drawn of them is in the page's drawings. */
    private static JsonNode withoutSamples(BenchmarkResult result) {
        JsonNode tree = ResultJson.tree(result);
        tree.path("runs").forEach(run -> ((ObjectNode) run).remove("samples"));
        return tree;
    }

    private static Map<String, Object> drawings(BenchmarkResult result, List<Chart> charts) {
        Map<String, Object> drawings = new LinkedHashMap<>();
        drawings.put(
                "subjects",
                result.subjects().stream()
                        .map((Subject subject) -> Map.of("name", subject.name(), "floor", subject.floor()))
                        .toList());
        Map<String, Object> byId = new LinkedHashMap<>();
        charts.forEach(
                chart -> byId.put(chart.id(), Map.of("kind", chart.drawing().kind(), "data", chart.drawing())));
        drawings.put("charts", byId);
        return drawings;
    }

    /** JSON in which nothing can end the script element that it stands in. */
    private static String json(Object value) {
        try {
            return MAPPER.writeValueAsString(value).replace("<", "\\u003c").replace(">", "\\u003e");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the report's data is not JSON", e);
        }
    }
}
