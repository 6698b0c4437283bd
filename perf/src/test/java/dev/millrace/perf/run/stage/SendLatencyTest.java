package dev.millrace.perf.run.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Sample;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SendLatencyTest {
    private static final long START = 1_790_000_000_000L;

    @TempDir
    Path folder;

    @Test
    void secondsOfThePhaseAreMergedAndOthersAreNot() throws IOException {
        Path log =
                log(new long[] {900_000}, new long[] {1_000, 2_000, 3_000}, new long[] {4_000}, new long[] {800_000});
        SendLatency latency = SendLatency.read(log, START + 1000, START + 3000);
        assertThat(latency.count()).isEqualTo(4);
        assertThat(latency.millis(50)).isCloseTo(2, within(0.01));
        assertThat(latency.greatestMillis()).isCloseTo(4, within(0.01));
    }

    @Test
    void sendsThatWaitedOverTheEndOfTheSpanAreInIt() throws IOException {
        long[] quick = new long[1000];
        Arrays.fill(quick, 1_000);
        long[] caughtUp = new long[3000];
        Arrays.fill(caughtUp, 2_000_000);
        // It stands still from the third second on, and for two.
        Path log = log(quick, quick, new long[0], new long[0], caughtUp, quick);
        SendLatency cut = SendLatency.read(log, START, START + 3000);
        assertThat(cut.greatestMillis()).isCloseTo(1, within(0.01));
        SendLatency whole = SendLatency.read(log, START, START + 3000, 1000);
        assertThat(whole.count()).isEqualTo(5000);
        assertThat(whole.greatestMillis()).isCloseTo(2000, within(1.0));
        assertThat(SendLatency.read(log, START, START + 2000, 1001).count()).isEqualTo(2000);
        assertThat(SendLatency.read(log, START, START + 2000, Double.POSITIVE_INFINITY)
                        .count())
                .isEqualTo(2000);
    }

    @Test
    void whatIsBehindASpanOfNoWholeSecondsIsNotInIt() throws IOException {
        long[] quick = new long[1000];
        Arrays.fill(quick, 1_000);
        // Three intervals begin within the 3.02 seconds from 20 ms before the first on; 3020 sends were due in these.
        Path log = log(quick, quick, quick, new long[] {900_000});
        SendLatency latency = SendLatency.read(log, START - 20, START + 3000, 1000);
        assertThat(latency.count()).isEqualTo(3000);
        assertThat(latency.greatestMillis()).isCloseTo(1, within(0.01));
    }

    @Test
    void aLineThatIsStillBeingWrittenIsNotReadYet() throws IOException {
        Path log = log(new long[] {1_000}, new long[] {2_000, 3_000});
        byte[] whole = Files.readAllBytes(log);
        int before = new String(whole, StandardCharsets.ISO_8859_1).lastIndexOf('\n', whole.length - 2) + 1;
        for (int end = before; end < whole.length; end++) {
            Files.write(log, Arrays.copyOf(whole, end));
            assertThat(SendLatency.read(log, START, START + 2000).count())
                    .as("%d of %d bytes", end, whole.length)
                    .isEqualTo(1);
        }
    }

    @Test
    void whatIsBehindAKilledGeneratorsHalfLineIsRead() throws IOException {
        String before = Files.readString(log(new long[] {1_000}, new long[] {2_000, 3_000}));
        int last = before.lastIndexOf('\n', before.length() - 2) + 1;
        // What lacks nothing but the padding of its base64 is all there.
        int whole = before.strip().replaceAll("=+$", "").length();
        String after = Files.readString(log(new long[0], new long[0], new long[] {4_000, 5_000, 6_000}));
        for (int end = last; end < before.length(); end++) {
            Path log = Files.writeString(folder.resolve("again.hlog"), before.substring(0, end) + "\n" + after);
            SendLatency latency = SendLatency.read(log, START, START + 3000);
            assertThat(latency.count())
                    .as("%d of %d characters", end, before.length())
                    .isEqualTo(end >= whole ? 6 : 4);
        }
    }

    @Test
    void aBrokenLineAmongOthersIsRefused() throws IOException {
        Path log = log(new long[] {1_000}, new long[] {2_000}, new long[] {3_000});
        List<String> lines = new ArrayList<>(Files.readAllLines(log));
        int broken = lines.size() - 2;
        lines.set(broken, lines.get(broken).substring(0, 40));
        Files.write(log, lines);
        assertThatThrownBy(() -> SendLatency.read(log, START, START + 3000))
                .isInstanceOf(EnvironmentException.class)
                .hasMessage("the latency log " + log + " is damaged: line " + (broken + 1)
                        + " is no whole interval, and the generator did not start again behind it");
    }

    @Test
    void theCurveRisesToTheGreatest() throws IOException {
        long[] values = new long[1000];
        for (int i = 0; i < values.length; i++) {
            values[i] = (i + 1) * 100L;
        }
        List<Run.Quantile> curve =
                SendLatency.read(log(values), START, START + 1000).quantiles();
        assertThat(curve).isSortedAccordingTo(java.util.Comparator.comparingDouble(Run.Quantile::quantile));
        assertThat(curve).isSortedAccordingTo(java.util.Comparator.comparingDouble(Run.Quantile::millis));
        assertThat(curve.get(curve.size() - 1).millis()).isCloseTo(100, within(0.1));
        assertThat(curve.get(curve.size() - 1).quantile()).isEqualTo(1);
    }

    @Test
    void theCurveHasThePercentilesThatReportsName() throws IOException {
        long[] values = new long[1000];
        // Ten in a thousand waited: p99 is the others', and p99.0625, the next of the curve's own steps, is theirs.
        Arrays.fill(values, 1_000);
        Arrays.fill(values, 990, 1000, 500_000);
        SendLatency latency = SendLatency.read(log(values), START, START + 1000);
        List<Run.Quantile> curve = latency.quantiles();
        assertThat(curve)
                .extracting(Run.Quantile::quantile)
                .contains(0.99, 0.999, 0.9999)
                .doesNotHaveDuplicates();
        assertThat(curve).isSortedAccordingTo(java.util.Comparator.comparingDouble(Run.Quantile::quantile));
        assertThat(curve).isSortedAccordingTo(java.util.Comparator.comparingDouble(Run.Quantile::millis));
        assertThat(curve)
                .filteredOn(point -> point.quantile() == 0.99)
                .singleElement()
                .satisfies(point -> assertThat(point.millis()).isCloseTo(1, within(0.01)));
        assertThat(curve)
                .filteredOn(point -> point.quantile() == 0.999)
                .singleElement()
                .satisfies(point -> assertThat(point.millis()).isCloseTo(500, within(1.0)));
    }

    @Test
    void anEmptyPhaseHasNoCurve() throws IOException {
        SendLatency latency = SendLatency.read(log(new long[] {5}), START + 60_000, START + 61_000);
        assertThat(latency.count()).isZero();
        assertThat(latency.quantiles()).isEmpty();
    }

    @Test
    void everySampleGetsTheP99OfItsSecond() throws IOException {
        Path log = log(new long[] {1_000}, new long[] {2_000});
        List<Sample> samples =
                SendLatency.read(log, START, START + 1000).into(List.of(sample(1), sample(2), sample(3)), START);
        assertThat(samples.get(0).sendP99Millis()).isCloseTo(1, within(0.01));
        assertThat(samples.get(1).sendP99Millis()).isCloseTo(2, within(0.01));
        assertThat(samples.get(2).sendP99Millis()).isNull();
    }

    private static Sample sample(int second) {
        return new Sample(second, "measure", null, null, null, null, null, Map.of(), Map.of("job", 7.0));
    }

    /** One interval of a second for each array, from {@link #START} on, microseconds. */
    private Path log(long[]... seconds) throws IOException {
        Path file = folder.resolve("some.hlog");
        try (PrintStream out = new PrintStream(new FileOutputStream(file.toFile()))) {
            HistogramLogWriter writer = new HistogramLogWriter(out);
            writer.outputLogFormatVersion();
            writer.outputStartTime(START);
            writer.outputLegend();
            for (int i = 0; i < seconds.length; i++) {
                Histogram histogram = new Histogram(3);
                for (long micros : seconds[i]) {
                    histogram.recordValue(micros);
                }
                double from = START / 1000.0 + i;
                writer.outputIntervalHistogram(from, from + 1, histogram, 1000);
            }
        }
        return file;
    }
}
