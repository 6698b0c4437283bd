package dev.millrace.perf.run;

import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.Disturbance;
import dev.millrace.perf.probe.ProcessUse;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Sample;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.run.stage.Phases;
import dev.millrace.perf.run.stage.Processes;
import dev.millrace.perf.run.stage.SendLatency;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * The measured phase, from one mark to the other, and what follows from it.
 *
 * @param ratePerSecond of the schedule
 * @param samples of the whole run
 * @param residentMiB the greatest of each process in the phase
 * @param send of the phase
 * @param visible windows that were due in the phase
 */
record Measured(
        Mark from,
        Mark to,
        StackSettings settings,
        double ratePerSecond,
        List<Sample> samples,
        Map<String, Double> residentMiB,
        SendLatency send,
        List<WindowWatch.Visible> visible) {

    private static final double MEBIBYTE = 1 << 20;
    /** Of fewer, the p99 is the greatest by another name. */
    private static final int WINDOWS_FOR_P99 = 100;

    private static final List<String> JOB = List.of(StackState.JOB_MANAGER, StackState.TASK_MANAGER);
    /** What a total of the stack is of; a supervisor is not everywhere. */
    private static final List<String> WHOLE = List.of(
            StackState.BROKER, StackState.STORE, StackState.JOB_MANAGER, StackState.TASK_MANAGER, StackState.GENERATOR);

    private double seconds() {
        return (to.nanos() - from.nanos()) / 1e9;
    }

    private double accepted() {
        return growth(from.accepted(), to.accepted());
    }

    private double processed() {
        return growth(from.processed(), to.processed());
    }

    /** -1 when one end is not known. */
    private static double growth(OptionalDouble from, OptionalDouble to) {
        return from.isPresent() && to.isPresent() ? to.getAsDouble() - from.getAsDouble() : -1;
    }

    Evidence evidence(boolean rowsCame, OptionalLong memoryPeakBytes) {
        List<Sample> own = samples.stream()
                .filter(sample -> sample.phase().equals(Phases.MEASURE))
                .toList();
        return new Evidence(
                ratePerSecond * seconds(),
                accepted(),
                processed(),
                send.count(),
                send.millis(99),
                own.stream()
                        .map(Sample::latenessMillis)
                        .filter(Objects::nonNull)
                        .mapToDouble(Long::doubleValue)
                        .max()
                        .orElse(Double.NaN),
                own.stream().map(Sample::lag).filter(Objects::nonNull).toList(),
                ratePerSecond,
                Disturbance.of(to.machine().since(from.machine())),
                Math.max(0, growth(from.early(), to.early())),
                visible.size(),
                cpuSeconds(List.of(Processes.RIG)) / seconds(),
                memoryPeakBytes.isPresent() ? memoryPeakBytes.getAsLong() / MEBIBYTE : Double.NaN,
                rowsCame);
    }

    /** Those that could be measured. */
    Map<Figure, Double> figures() {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        if (accepted() >= 0) {
            figures.put(Figure.ACCEPTED_RATE, accepted() / seconds());
            resources(figures);
        }
        if (processed() >= 0) {
            figures.put(Figure.PROCESSED_RATE, processed() / seconds());
        }
        if (send.count() > 0) {
            figures.put(Figure.SEND_P50, send.millis(50));
            figures.put(Figure.SEND_P99, send.millis(99));
            figures.put(Figure.SEND_P999, send.millis(99.9));
            figures.put(Figure.SEND_MAX, send.greatestMillis());
        }
        if (!visible.isEmpty()) {
            double[] latencies = visible.stream()
                    .mapToDouble(WindowWatch.Visible::latencyMillis)
                    .toArray();
            figures.put(Figure.ROWS_P50, Median.withDefaults().evaluate(latencies));
            if (latencies.length >= WINDOWS_FOR_P99) {
                figures.put(Figure.ROWS_P99, Quantile.withDefaults().evaluate(latencies, 0.99));
            }
            figures.put(Figure.ROWS_MAX, Arrays.stream(latencies).max().orElseThrow());
        }
        samples.stream()
                .filter(sample -> sample.phase().equals(Phases.MEASURE))
                .map(Sample::lag)
                .filter(Objects::nonNull)
                .mapToDouble(Long::doubleValue)
                .max()
                .ifPresent(lag -> figures.put(Figure.LAG_MAX, lag));
        // What is not known is not there: a pair without it is left out, and the others compared.
        figures.values().removeIf(value -> value.isNaN());
        return figures;
    }

    private void resources(Map<Figure, Double> figures) {
        double millions = accepted() / 1e6;
        figures.put(Figure.CPU_BROKER, cpuSeconds(List.of(StackState.BROKER)) / millions);
        figures.put(Figure.CPU_JOB, cpuSeconds(JOB) / millions);
        figures.put(Figure.CPU_STORE, cpuSeconds(List.of(StackState.STORE)) / millions);
        figures.put(Figure.CPU_GENERATOR, cpuSeconds(List.of(StackState.GENERATOR)) / millions);
        // A broker or store of a person's own is not looked at: without it, it would be no total.
        boolean whole = from.processes().keySet().containsAll(WHOLE);
        figures.put(Figure.CPU_TOTAL, whole ? cpuSeconds(StackState.NAMES) / millions : Double.NaN);
        figures.put(Figure.MEMORY_BROKER, residentMiB.getOrDefault(StackState.BROKER, Double.NaN));
        figures.put(
                Figure.MEMORY_TOTAL,
                residentMiB.keySet().containsAll(WHOLE)
                        ? residentMiB.values().stream()
                                .mapToDouble(Double::doubleValue)
                                .sum()
                        : Double.NaN);
        double payload = accepted() * settings.payloadBytes();
        figures.put(Figure.DISK_WRITTEN_BROKER, written(StackState.BROKER) / payload);
    }

    /** NaN where none of them is looked at, or one of them did not answer at one of the ends. */
    private double cpuSeconds(List<String> names) {
        Duration used = Duration.ZERO;
        boolean known = false;
        for (String name : names) {
            ProcessUse before = from.processes().get(name);
            ProcessUse after = to.processes().get(name);
            if (before == null && after == null) {
                continue;
            }
            if (before == null || after == null) {
                return Double.NaN;
            }
            used = used.plus(after.cpu().minus(before.cpu()));
            known = true;
        }
        return known ? used.toNanos() / 1e9 : Double.NaN;
    }

    private double written(String name) {
        ProcessUse before = from.processes().get(name);
        ProcessUse after = to.processes().get(name);
        return before == null || after == null ? Double.NaN : after.writtenBytes() - before.writtenBytes();
    }
}
