package dev.millrace.perf.run.exercise;

import dev.millrace.perf.burst.Arrangement;
import dev.millrace.perf.burst.ResultRows;
import dev.millrace.perf.burst.SendComparison;
import dev.millrace.perf.burst.SendResult;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Sample;
import dev.millrace.perf.run.stage.Processes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.commons.statistics.descriptive.Median;

/**
 * What follows from the bursts of a measured phase.
 *
 * @param backlog when the phase began
 * @param jobRestarts of the job from the phase's begin until all rows were there; NaN when it is not known
 * @param whyRestarted the newest one's cause; empty for none
 * @param sendLimit of a row
 * @param measured samples of the phase
 * @param sends of each way that was tried
 */
record BurstFound(
        List<Timed> bursts,
        Backlog backlog,
        double jobRestarts,
        String whyRestarted,
        Duration sendLimit,
        List<Sample> measured,
        Map<Arrangement, SendComparison.Found> sends) {

    /** A burst and when it was due, epoch milliseconds by the clock. */
    record Timed(ResultRows.Burst burst, long dueMillis) {

        double emptyMillis() {
            return Math.max(1, burst.lastMillis() - dueMillis);
        }

        double firstMillis() {
            return Math.max(0, burst.firstMillis() - dueMillis);
        }

        double rowsPerSecond() {
            return burst.rows() * 1000.0 / emptyMillis();
        }
    }

    /**
     * What the job had not read.
     *
     * @param readings that it was behind
     * @param readingsOfSlide that come between two bursts: with as many to read, the next burst waits for the last one
     */
    record Backlog(double readings, double readingsOfSlide) {}

    /** Those whose every row came: the others have no end. */
    private List<Timed> emptied() {
        return bursts.stream().filter(one -> one.burst().missing() == 0).toList();
    }

    Exercise.Found found() {
        return new Exercise.Found(figures(), evidence(), reasons(), remarks());
    }

    private Map<Figure, Double> figures() {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        if (!emptied().isEmpty()) {
            figures.put(Figure.BURST_EMPTY, median(Timed::emptyMillis));
            figures.put(Figure.BURST_RATE, median(Timed::rowsPerSecond));
        }
        if (!measured.isEmpty()) {
            figures.put(Figure.CORES_MAX, usedCoresMax());
        }
        return figures;
    }

    private Map<String, Double> evidence() {
        Map<String, Double> evidence = new TreeMap<>();
        evidence.put("bursts", (double) bursts.size());
        evidence.put("burstRows", (double) sum(ResultRows.Burst::rows));
        evidence.put("burstRowsMissing", (double) sum(ResultRows.Burst::missing));
        evidence.put("burstRowsSurplus", (double) sum(ResultRows.Burst::surplus));
        evidence.put("burstRowsRepeated", (double) sum(ResultRows.Burst::repeated));
        evidence.put("jobRestarts", jobRestarts);
        coresMax().forEach((name, cores) -> evidence.put("usedCoresMax." + name, cores));
        sends.forEach((arrangement, found) -> {
            String prefix = "sends." + arrangement.word() + ".";
            evidence.put(prefix + "rowsPerSecond", found.sends().rowsPerSecond());
            evidence.put(prefix + "expired", (double) found.sends().expired());
            evidence.put(prefix + "threadsMax", (double) found.sends().threadsMax());
            evidence.put(prefix + "clientCpuMillis", found.sends().clientCpuMillis());
            evidence.put(prefix + "brokerCpuMillis", found.brokerCpuMillis());
        });
        return evidence;
    }

    private List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        if (bursts.isEmpty()) {
            reasons.add("no burst was due in the measured phase that the store has rows of; take a longer phase");
        }
        if (backlog.readings() > backlog.readingsOfSlide()) {
            reasons.add(text(
                    "the job was %,.0f readings behind when the measured phase began, more than the %,.0f that come between"
                            + " two bursts: a burst waited for them; take a longer warm-up",
                    backlog.readings(), backlog.readingsOfSlide()));
        }
        if (Double.isNaN(jobRestarts)) {
            reasons.add("it is not known whether a send expired: the JobManager's metrics could not be read");
        }
        if (jobRestarts > 0) {
            reasons.add(text(
                    "the job started again from its checkpoint %,.0f times; a send that expires does that: %s",
                    jobRestarts, whyRestarted.isEmpty() ? "the cause is not known" : whyRestarted));
        }
        long missing = sum(ResultRows.Burst::missing);
        long surplus = sum(ResultRows.Burst::surplus);
        if (missing + surplus > 0) {
            reasons.add(text(
                    "the result topic is not the store: %,d rows of the bursts are missing and %,d are surplus",
                    missing, surplus));
        }
        return reasons;
    }

    private List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        if (!emptied().isEmpty()) {
            remarks.add(text(
                    "%d bursts, %,d rows in all, at most %,d in one: the last row of a burst was in the result topic %.1f s"
                            + " after it was due (median; %.1f s at worst), the first after %.1f s (median)",
                    bursts.size(),
                    sum(ResultRows.Burst::rows),
                    bursts.stream().mapToLong(one -> one.burst().rows()).max().orElse(0),
                    median(Timed::emptyMillis) / 1000,
                    emptied().stream().mapToDouble(Timed::emptyMillis).max().orElse(0) / 1000,
                    median(Timed::firstMillis) / 1000));
        }
        if (!bursts.isEmpty()) {
            remarks.add(expired());
        }
        if (!measured.isEmpty()) {
            remarks.add("most cores in a second: "
                    + coresMax().entrySet().stream()
                            .map(entry -> text("%s %.2f", entry.getKey(), entry.getValue()))
                            .collect(Collectors.joining(", "))
                    + text("; all together %.2f", usedCoresMax()));
        }
        sends.forEach((arrangement, found) -> remarks.add(said(arrangement, found)));
        return remarks;
    }

    private String expired() {
        long repeated = sum(ResultRows.Burst::repeated);
        long missing = sum(ResultRows.Burst::missing);
        String limit = text("the limit of %.1f s", sendLimit.toMillis() / 1000.0);
        String topic = missing == 0
                ? "every row of the store is in the topic, "
                        + (repeated == 0 ? "once" : text("with %,d repetitions", repeated))
                : text("%,d rows of the store are not in the topic", missing);
        if (Double.isNaN(jobRestarts)) {
            return "whether a send took longer than " + limit + " is not known; " + topic;
        }
        return jobRestarts == 0
                ? "no send of the job exceeded " + limit + ": one that does starts the job again, and it did not; "
                        + topic
                : text("the job started again %,.0f times, as it does when a send exceeds ", jobRestarts) + limit + "; "
                        + topic;
    }

    private static String said(Arrangement arrangement, SendComparison.Found found) {
        SendResult sends = found.sends();
        return text(
                "%,d rows sent %s, with the load paused: %.1f s, %,.0f rows/s, threads at once %,d, longest send %.2f s,"
                        + " CPU %.1f s of the sender and %s of the broker, %,d expired%s",
                sends.rows(),
                arrangement.meaning(),
                sends.millis() / 1000,
                sends.rowsPerSecond(),
                sends.threadsMax(),
                sends.sendMillisMax() / 1000,
                sends.clientCpuMillis() / 1000,
                Double.isNaN(found.brokerCpuMillis())
                        ? "an unknown time"
                        : text("%.1f s", found.brokerCpuMillis() / 1000),
                sends.expired(),
                sends.refused() + sends.notStarted() == 0
                        ? ""
                        : text(", %,d refused, %,d had no thread", sends.refused(), sends.notStarted()));
    }

    /** The greatest of each process in one look. */
    private Map<String, Double> coresMax() {
        Map<String, Double> most = new TreeMap<>();
        measured.forEach(sample -> sample.cores().forEach((name, cores) -> most.merge(name, cores, Math::max)));
        return most;
    }

    private double usedCoresMax() {
        return measured.stream()
                .mapToDouble(sample -> sample.cores().entrySet().stream()
                        .filter(entry -> !entry.getKey().equals(Processes.RIG))
                        .mapToDouble(Map.Entry::getValue)
                        .sum())
                .max()
                .orElse(0);
    }

    private long sum(ToLongFunction<ResultRows.Burst> what) {
        return bursts.stream().mapToLong(one -> what.applyAsLong(one.burst())).sum();
    }

    private double median(ToDoubleFunction<Timed> what) {
        return Median.withDefaults()
                .evaluate(emptied().stream().mapToDouble(what).toArray());
    }

    private static String text(String sentence, Object... figures) {
        return String.format(Locale.ROOT, sentence, figures);
    }
}
