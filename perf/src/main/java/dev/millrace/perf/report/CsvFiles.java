package dev.millrace.perf.report;

import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A result as tables after RFC 4180: comma, quotes where they are needed, CR LF, one line of names. Decimals have a point; what is
 * not known is empty. A text that a spreadsheet would take for a formula begins with a single quote.
 */
public final class CsvFiles {
    private CsvFiles() {}

    /** One row for each run; columns {@code evidence.NAME} are what the gates looked at. */
    public static void runs(BenchmarkResult result, Appendable out) throws IOException {
        Set<String> evidence = new TreeSet<>();
        result.runs().forEach(run -> evidence.addAll(run.evidence().keySet()));
        List<String> names = new ArrayList<>(List.of("id", "subject", "block", "started", "valid", "reasons"));
        for (Figure figure : Figure.values()) {
            names.add(figure.key());
        }
        names.addAll(List.of("auditEqual", "audit"));
        evidence.forEach(name -> names.add("evidence." + name));
        row(out, names.stream().map(CsvFiles::text).toList());
        for (Run run : result.runs()) {
            List<String> cells = new ArrayList<>(List.of(
                    text(run.id()),
                    text(run.subject()),
                    Integer.toString(run.block()),
                    text(run.started()),
                    Boolean.toString(run.isValid()),
                    text(String.join("; ", run.reasons()))));
            for (Figure figure : Figure.values()) {
                cells.add(number(run.figures().get(figure)));
            }
            cells.add(Boolean.toString(run.auditEqual()));
            cells.add(text(run.audit()));
            evidence.forEach(name -> cells.add(number(run.evidence().get(name))));
            row(out, cells);
        }
    }

    /** One row for each second of each run; columns {@code cores.PROCESS} are used cores, {@code residentMiB.PROCESS} memory. */
    public static void samples(BenchmarkResult result, Appendable out) throws IOException {
        Set<String> processes = new TreeSet<>();
        result.runs().forEach(run -> run.samples()
                .forEach(sample -> processes.addAll(sample.cores().keySet())));
        List<String> names = new ArrayList<>(List.of(
                "run",
                "subject",
                "block",
                "valid",
                "second",
                "phase",
                "acceptedPerSecond",
                "processedPerSecond",
                "lag",
                "latenessMillis",
                "sendP99Millis"));
        processes.forEach(process -> names.add("cores." + process));
        processes.forEach(process -> names.add("residentMiB." + process));
        row(out, names.stream().map(CsvFiles::text).toList());
        for (Run run : result.runs()) {
            for (Sample sample : run.samples()) {
                List<String> cells = new ArrayList<>(List.of(
                        text(run.id()),
                        text(run.subject()),
                        Integer.toString(run.block()),
                        Boolean.toString(run.isValid()),
                        Integer.toString(sample.second()),
                        text(sample.phase()),
                        number(sample.acceptedPerSecond()),
                        number(sample.processedPerSecond()),
                        number(sample.lag()),
                        number(sample.latenessMillis()),
                        number(sample.sendP99Millis())));
                processes.forEach(process -> cells.add(number(sample.cores().get(process))));
                processes.forEach(
                        process -> cells.add(number(sample.residentMiB().get(process))));
                row(out, cells);
            }
        }
    }

    private static void row(Appendable out, List<String> cells) throws IOException {
        out.append(cells.stream().map(CsvFiles::quoted).collect(Collectors.joining(",")))
                .append("\r\n");
    }

    private static String number(@Nullable Number value) {
        if (value == null || !Double.isFinite(value.doubleValue())) {
            return "";
        }
        // Whole numbers without ".0", and never with an exponent that a spreadsheet may round.
        double number = value.doubleValue();
        return value instanceof Long || number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString(value.longValue())
                : Double.toString(number);
    }

    private static String text(String text) {
        return !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    }

    private static String quoted(String cell) {
        return cell.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
                ? '"' + cell.replace("\"", "\"\"") + '"'
                : cell;
    }
}
