package dev.millrace.perf.run.stage;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Sample;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.PercentileIterator;

/** What the generator's interval log says of a span of time: the seconds' histograms merged, never an average of percentiles. */
public final class SendLatency {
    /** The generator's log has whole seconds: what was sent last is in it so much later. */
    public static final long LOG_NANOS = 1_100_000_000L;

    /** Of the sends that were due: so many less may be on their way at any time, and are no sign of a broker that stands still. */
    private static final double ANSWERED_SHARE = 0.999;

    private static final int HALVING_TICKS = 5;
    /** What reports have in tables; the steps towards 1 meet none of them. */
    private static final double[] NAMED = {0.99, 0.999, 0.9999};

    private static final double MICROS_OF_A_MILLI = 1000;
    private static final long MILLIS_OF_A_SECOND = 1000;

    private final Histogram merged = new Histogram(3);
    private final Map<Long, Double> p99OfSeconds = new TreeMap<>();

    /**
     * @param fromMillis epoch milliseconds; an interval counts when it begins at or after this
     * @param toMillis and ends by this, or within the second that it is in
     */
    public static SendLatency read(Path log, long fromMillis, long toMillis) {
        return read(log, fromMillis, toMillis, 0);
    }

    /**
     * The same for an open loop that goes on behind {@code toMillis}. The log has a send in the second of its answer: of a broker that
     * stands still at the end of the span, those that waited longest would be missing. So when answers are missing, seconds count
     * until there are as many as sends were due in the span's whole seconds: it may have no more intervals than these, and sends from
     * behind it must not make up for the rest.
     *
     * @param duePerSecond sends between the two times; infinite: as many as the broker took
     */
    public static SendLatency read(Path log, long fromMillis, long toMillis, double duePerSecond) {
        SendLatency latency = new SendLatency();
        long seconds = (toMillis - fromMillis) / MILLIS_OF_A_SECOND;
        double due = Double.isInfinite(duePerSecond) ? 0 : duePerSecond * seconds;
        merged(latency, log, fromMillis, toMillis, due * ANSWERED_SHARE);
        return latency;
    }

    private static void merged(SendLatency latency, Path log, long fromMillis, long toMillis, double least) {
        for (Histogram interval : intervals(log)) {
            if (interval.getTotalCount() > 0) {
                latency.p99OfSeconds.put(
                        interval.getEndTimeStamp(), interval.getValueAtPercentile(99) / MICROS_OF_A_MILLI);
            }
            boolean within = interval.getStartTimeStamp() < toMillis || latency.merged.getTotalCount() < least;
            if (interval.getStartTimeStamp() >= fromMillis && within) {
                latency.merged.add(interval);
            }
        }
    }

    /** A half line is a killed generator's last when the heading of the next one is behind it; elsewhere seconds are missing. */
    private static List<Histogram> intervals(Path log) {
        List<Histogram> intervals = new ArrayList<>();
        List<String> lines = wholeLines(log);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (isHeading(line)) {
                continue;
            }
            Optional<Histogram> interval = interval(line);
            if (interval.isEmpty() && i + 1 < lines.size() && !isHeading(lines.get(i + 1))) {
                throw new EnvironmentException("the latency log " + log + " is damaged: line " + (i + 1)
                        + " is no whole interval, and the generator did not start again behind it");
            }
            interval.ifPresent(intervals::add);
        }
        return intervals;
    }

    private static boolean isHeading(String line) {
        return line.startsWith("#") || line.startsWith("\"");
    }

    /** By a reader of its own: one of all lines ends without a word at the first that it cannot read. */
    private static Optional<Histogram> interval(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.ISO_8859_1);
        try (HistogramLogReader reader = new HistogramLogReader(new ByteArrayInputStream(bytes))) {
            return Optional.ofNullable((Histogram) reader.nextIntervalHistogram());
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    /** The generator may be writing the last one, which is none yet. */
    private static List<String> wholeLines(Path log) {
        try {
            String text = Files.readString(log, StandardCharsets.ISO_8859_1);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException e) {
            throw new EnvironmentException("cannot read the latency log " + log + ": " + e.getMessage(), e);
        }
    }

    /** How many sends. */
    public long count() {
        return merged.getTotalCount();
    }

    /** Milliseconds; {@code percentile} from 0 to 100. */
    public double millis(double percentile) {
        return merged.getValueAtPercentile(percentile) / MICROS_OF_A_MILLI;
    }

    public double greatestMillis() {
        return merged.getMaxValue() / MICROS_OF_A_MILLI;
    }

    /** The curve, with the steps of HdrHistogram's own percentile iteration, finer towards 1, and those that have a name. */
    public List<Run.Quantile> quantiles() {
        if (merged.getTotalCount() == 0) {
            return List.of();
        }
        NavigableMap<Double, Double> millis = new TreeMap<>();
        PercentileIterator steps = new PercentileIterator(merged, HALVING_TICKS);
        while (steps.hasNext()) {
            HistogramIterationValue step = steps.next();
            millis.put(step.getPercentileLevelIteratedTo() / 100, step.getValueIteratedTo() / MICROS_OF_A_MILLI);
        }
        for (double quantile : NAMED) {
            millis.put(quantile, millis(quantile * 100));
        }
        return millis.entrySet().stream()
                .map(point -> new Run.Quantile(point.getKey(), point.getValue()))
                .toList();
    }

    /**
     * The samples with the p99 of the log's interval that ended in their second.
     *
     * @param startMillis the clock at second 0
     */
    public List<Sample> into(List<Sample> samples, long startMillis) {
        Map<Long, Double> bySecond = new TreeMap<>();
        p99OfSeconds.forEach((end, p99) -> bySecond.put(Math.floorDiv(end - startMillis, MILLIS_OF_A_SECOND), p99));
        return samples.stream()
                .map(sample -> new Sample(
                        sample.second(),
                        sample.phase(),
                        sample.acceptedPerSecond(),
                        sample.processedPerSecond(),
                        sample.lag(),
                        sample.latenessMillis(),
                        bySecond.get((long) sample.second()),
                        sample.cores(),
                        sample.residentMiB()))
                .toList();
    }
}
