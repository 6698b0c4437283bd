package dev.millrace.perf.report;

import dev.millrace.perf.result.BenchmarkResult;
import java.util.List;
import java.util.stream.Collectors;

/** A result in short, for a pull request or a chat: what the page begins with, and its tables that are not long. */
public final class MarkdownReport {
    private MarkdownReport() {}

    public static String of(BenchmarkResult result) {
        Findings findings = new Findings(result);
        Tables tables = new Tables(findings);
        StringBuilder out = new StringBuilder();
        out.append("# ").append(escaped(findings.title())).append("\n\n");
        if (!result.description().isEmpty()) {
            out.append(escaped(result.description())).append("\n\n");
        }
        out.append(escaped(findings.when())).append("\n");
        list(out, "Read this first", result.caveats());
        out.append("\n## Verdict\n");
        findings.verdicts()
                .forEach(verdict -> out.append("\n**").append(escaped(verdict)).append("**\n"));
        findings.warnings()
                .forEach(warning -> out.append("\n> ").append(escaped(warning)).append("\n"));
        List<Grid> comparisons = tables.comparisons();
        if (!comparisons.isEmpty()) {
            out.append("\n## Comparisons\n");
            comparisons.forEach(grid -> table(out, 3, grid));
        }
        CostSection cost = new CostSection(findings);
        out.append("\n## Cost\n");
        cost.sentences().forEach(one -> out.append("\n").append(escaped(one)).append("\n"));
        cost.tables().forEach(grid -> table(out, 3, grid));
        out.append("\n## Runs\n\nSeed ").append(result.seed());
        out.append(
                findings.order().isEmpty()
                        ? "."
                        : "; in this order: " + escaped(String.join(", ", findings.order())) + ".");
        out.append("\n");
        table(out, 0, tables.runs());
        for (Grid grid : List.of(
                tables.remarks(), tables.effective(), tables.settings(), tables.environment(), tables.baseline())) {
            if (!grid.rows().isEmpty()) {
                table(out, 2, grid);
            }
        }
        new Charts(findings).clocks().ifPresent(clocks -> table(out, 2, clocks.table()));
        out.append("\nResult ").append(escaped(result.id())).append(", ").append(escaped(result.schema()));
        return out.append("\n").toString();
    }

    private static void list(StringBuilder out, String heading, List<String> sentences) {
        if (!sentences.isEmpty()) {
            out.append("\n## ").append(heading).append("\n\n");
            sentences.forEach(one -> out.append("- ").append(escaped(one)).append("\n"));
        }
    }

    /** With the caption as a heading of that level; 0 for none. */
    private static void table(StringBuilder out, int level, Grid grid) {
        if (level > 0) {
            out.append("\n")
                    .append("#".repeat(level))
                    .append(" ")
                    .append(escaped(grid.caption()))
                    .append("\n");
        }
        out.append("\n");
        row(
                out,
                grid.columns().stream()
                        .map(column -> column.title() + (column.unit().isEmpty() ? "" : ", " + column.unit()))
                        .toList());
        out.append(grid.columns().stream()
                        .map(column -> column.isNumber() ? "---:" : "---")
                        .collect(Collectors.joining(" | ", "| ", " |")))
                .append("\n");
        grid.rows().forEach(row -> row(out, row.cells()));
    }

    private static void row(StringBuilder out, List<String> cells) {
        out.append(cells.stream().map(MarkdownReport::escaped).collect(Collectors.joining(" | ", "| ", " |")))
                .append("\n");
    }

    /** Text in which nothing is markup, in one line. */
    static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '\n', '\r' -> out.append(' ');
                case '\\', '`', '*', '_', '{', '}', '[', ']', '#', '|', '~' ->
                    out.append('\\').append(c);
                default -> out.append(c);
            }
        }
        return out.toString();
    }
}
