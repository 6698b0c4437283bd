package dev.millrace.perf.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.Comparison.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultJsonTest {
    private static final BenchmarkResult RESULT = new BenchmarkResult(
            BenchmarkResult.SCHEMA,
            "steady-1",
            "steady",
            "a load that does not change",
            Map.of("rate", "20000"),
            "2026-11-20T10:15:00Z",
            "2026-11-20T10:52:41Z",
            false,
            Long.MIN_VALUE,
            List.of("ferry"),
            Map.of("cores", "2"),
            Map.of(BaselineFigure.FSYNC_P50, 812.5),
            List.of("One machine."),
            List.of(new Subject("ferry", "ferry", "3.9.1", false)),
            List.of(new Run(
                    "01-ferry",
                    "ferry",
                    1,
                    "2026-11-20T10:15:00Z",
                    List.of("too slow"),
                    Map.of(Figure.SEND_P99, 11.25, Figure.CPU_TOTAL, Double.NaN),
                    List.of(new Run.Quantile(0.5, 1.5), new Run.Quantile(1, 9)),
                    "equal",
                    true,
                    Map.of("replicas", "1"),
                    Map.of("lagSlope", Double.NaN, "rateShare", 0.5),
                    List.of(
                            new Sample(0, "warm-up", null, null, null, null, null, Map.of(), Map.of()),
                            new Sample(
                                    1,
                                    "measure",
                                    1.0,
                                    2.0,
                                    3L,
                                    4L,
                                    5.0,
                                    Map.of("job", Double.NaN),
                                    Map.of("job", 1.5))),
                    "",
                    List.of("the broker was the bottleneck"))),
            List.of(new Comparison(
                    Figure.SEND_P99,
                    true,
                    "ferry",
                    "sluice",
                    1,
                    11.25,
                    12,
                    1.07,
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    10,
                    List.of("ferry"),
                    Verdict.NONE,
                    "one pair")));

    @TempDir
    Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("result.json"), text);
    }

    @Test
    void readsWhatItWroteNaNIncluded() throws IOException {
        assertThat(ResultJson.read(file(ResultJson.write(RESULT)))).isEqualTo(RESULT);
    }

    @Test
    void writesFiguresByTheirKeysAndNaNAsNull() {
        assertThat(ResultJson.write(RESULT))
                .contains("\"sendP99Millis\" : 11.25", "\"cpuSecondsPerMillion\" : null", "\"low\" : null")
                .doesNotContain("NaN", "SEND_P99");
    }

    @Test
    void writesNothingThatFollowsFromTheRest() {
        assertThat(ResultJson.tree(RESULT).path("runs").get(0).has("valid")).isFalse();
    }

    @Test
    void refusesAnotherSchemaAndSaysWhichItReads() throws IOException {
        Path file = file(ResultJson.write(RESULT).replace(BenchmarkResult.SCHEMA, "millrace-benchmark-9"));
        assertThatThrownBy(() -> ResultJson.read(file))
                .isInstanceOf(UserException.class)
                .hasMessage(file + " has schema 'millrace-benchmark-9'; this version of millrace reads '"
                        + BenchmarkResult.SCHEMA + "'");
    }

    @Test
    void refusesJsonThatIsNoResult() throws IOException {
        for (String text : List.of("", "[]", "null", "3", "{}", "{\"schema\": 1}")) {
            Path file = file(text);
            assertThatThrownBy(() -> ResultJson.read(file))
                    .isInstanceOf(UserException.class)
                    .hasMessage(file + " says no schema; a result says \"schema\": \"" + BenchmarkResult.SCHEMA + "\"");
        }
    }

    @Test
    void refusesBrokenJsonWithTheFileAndThePlace() throws IOException {
        String whole = ResultJson.write(RESULT);
        Path file = file(whole.substring(0, whole.length() / 2));
        assertThatThrownBy(() -> ResultJson.read(file))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith(file + " is no whole benchmark result: in line ")
                .hasMessageContaining(BenchmarkResult.SCHEMA)
                .message()
                .hasLineCount(1);
    }

    @Test
    void refusesAResultInWhichSomethingIsMissingStrangeOrNull() throws IOException {
        String whole = ResultJson.write(RESULT);
        Map<String, String> changes = Map.of(
                "\"figure\" : \"sendP99Millis\"", "\"figure\" : null",
                "\"block\" : 1", "\"block\" : null",
                "\"pairs\" : 1", "\"pairs\" : 1.7",
                "\"verdict\" : \"NONE\"", "\"verdict\" : null",
                "\"seed\"", "\"sead\"",
                "\"sendP99Millis\"", "\"sendP98Millis\"",
                "\"subject\" : \"ferry\"", "\"subject\" : null",
                "\"samples\" : [", "\"samples\" : null, \"other\" : [",
                "11.25", "\"fast\"",
                "\"NONE\"", "\"PERHAPS\"");
        changes.forEach((from, to) -> {
            assertThat(whole).contains(from);
            assertThatThrownBy(() -> ResultJson.read(file(whole.replace(from, to))))
                    .as(to)
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining(" is no whole benchmark result: ")
                    .message()
                    .hasLineCount(1);
        });
    }

    @Test
    void saysThatThereIsNoFile() {
        assertThatThrownBy(() -> ResultJson.read(folder.resolve("none.json")))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("there is no file " + folder.resolve("none.json"));
    }
}
