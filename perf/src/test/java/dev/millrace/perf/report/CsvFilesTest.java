package dev.millrace.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Sample;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CsvFilesTest {
    private static List<String> runs(BenchmarkResult result) throws IOException {
        StringBuilder out = new StringBuilder();
        CsvFiles.runs(result, out);
        assertThat(out).endsWith("\r\n");
        return Arrays.asList(out.toString().split("\r\n"));
    }

    private static List<String> samples(BenchmarkResult result) throws IOException {
        StringBuilder out = new StringBuilder();
        CsvFiles.samples(result, out);
        return Arrays.asList(out.toString().split("\r\n"));
    }

    private static BenchmarkResult with(String id, List<String> reasons, Map<Figure, Double> figures) {
        Sample sample =
                new Sample(3, "warm-up", 1.5, null, 7L, null, Double.NaN, Map.of("job", 0.25), Map.of("job", 512.5));
        return MadeUp.with(
                List.of(new Run(
                        id,
                        "ferry",
                        1,
                        "",
                        reasons,
                        figures,
                        List.of(),
                        "",
                        true,
                        Map.of(),
                        Map.of("=gate", -0.5),
                        List.of(sample),
                        "",
                        List.of())),
                List.of());
    }

    @Test
    void everyRunIsARowWithEveryFigureByItsKey() throws IOException {
        List<String> lines = runs(MadeUp.result());
        assertThat(lines).hasSize(12);
        for (Figure figure : Figure.values()) {
            assertThat(lines.get(0)).contains("," + figure.key() + ",");
        }
        assertThat(lines.get(0)).startsWith("id,subject,block,started,valid,reasons,acceptedPerSecond,");
        assertThat(lines.get(7)).startsWith("07-sluice,sluice,3,").contains(",false,accepted 96.2 %", ",19240,");
    }

    @Test
    void cellsWithCommasQuotesOrLinesAreQuoted() throws IOException {
        assertThat(runs(with("a,\"b\"", List.of("one\ntwo"), Map.of())).get(1))
                .startsWith("\"a,\"\"b\"\"\",ferry,1,,false,\"one\ntwo\",");
    }

    @Test
    void whatIsNotKnownIsEmptyAndDecimalsHaveAPoint() throws IOException {
        assertThat(runs(with("a", List.of(), Map.of(Figure.ACCEPTED_RATE, 0.125, Figure.PROCESSED_RATE, Double.NaN)))
                        .get(1))
                .startsWith("a,ferry,1,,true,,0.125,,,");
    }

    @Test
    void aTextThatASpreadsheetWouldCalculateBeginsWithAQuote() throws IOException {
        for (String sign : List.of("=", "+", "-", "@", "\t")) {
            assertThat(runs(with(sign + "1", List.of(), Map.of())).get(1)).startsWith("'" + sign + "1,");
        }
        List<String> lines = runs(with("a", List.of("-1"), Map.of(Figure.SEND_P50, -2.5)));
        assertThat(lines.get(0)).endsWith(",evidence.=gate");
        // A number is a number, whatever its sign.
        assertThat(lines.get(1)).contains(",'-1,", ",-2.5,").endsWith(",-0.5");
    }

    @Test
    void everySecondOfARunIsARow() throws IOException {
        assertThat(samples(with("a", List.of(), Map.of())))
                .containsExactly(
                        "run,subject,block,valid,second,phase,acceptedPerSecond,processedPerSecond,lag,latenessMillis,"
                                + "sendP99Millis,cores.job,residentMiB.job",
                        "a,ferry,1,true,3,warm-up,1.5,,7,,,0.25,512.5");
        assertThat(samples(MadeUp.result())).hasSize(1 + 11 * 90);
    }
}
