package dev.millrace.perf.sizing;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.sizing.MeasuredRates;
import dev.millrace.perf.comparison.Environment;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.descriptive.Median;

/** Rates per core out of one result: of each broker that was compared, the medians of its VALID runs. */
public final class ResultRates {
    /** The scenario whose results rates are made of. */
    public static final String SCENARIO = "sizing";

    private static final double MILLION = 1e6;
    /** So near to the rate that was asked for it was that rate. */
    private static final double KEPT = 0.01;

    /** Settings without which nobody knows what a rate is of; the scenario {@code sizing} says all of them. */
    private static final List<String> NEEDED =
            List.of("devices", "payload-bytes", "partitions", "parallelism", "window", "state-backend");

    private static final List<String> MACHINE = List.of(Environment.CPU, "cores", "memory", "os", "java");

    private static final String COMMIT = "commit";

    /** Of all processes that share the readings; without one of them there is no size. */
    private static final List<Figure> CPU = List.of(Figure.CPU_GENERATOR, Figure.CPU_BROKER, Figure.CPU_JOB);

    private final BenchmarkResult result;
    private final String name;
    private final List<String> problems = new ArrayList<>();

    private ResultRates(BenchmarkResult result, String name) {
        this.result = result;
        this.name = name;
    }

    /**
     * Of every subject but the floor.
     *
     * @param name of the result in sentences
     * @throws UserException with a line for each thing that keeps it from being a measurement
     */
    public static List<MeasuredRates> of(BenchmarkResult result, String name) {
        return new ResultRates(result, name).rates();
    }

    private List<MeasuredRates> rates() {
        if (result.interrupted()) {
            problems.add(name + " was interrupted; rates are taken of a whole one");
        } else if (result.runs().size() < result.order().size()) {
            problems.add(name + " has " + result.runs().size() + " of "
                    + result.order().size()
                    + " runs: its benchmark is not at its end, or was killed; rates are taken of a whole one");
        }
        missing("setting", NEEDED, result.settings(), "the scenario " + SCENARIO + " says all of them");
        missing(
                "fact",
                MACHINE,
                result.environment(),
                "a benchmark on one machine (without --target kubernetes) says all of them");
        missing("fact", List.of(COMMIT), result.environment(), "a build in a clone of the git repository says it");
        List<Subject> subjects =
                result.subjects().stream().filter(subject -> !subject.floor()).toList();
        if (subjects.isEmpty()) {
            problems.add(name + " has no broker beside the rig's floor");
        }
        subjects.forEach(this::check);
        if (!problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
        return subjects.stream().map(this::rates).toList();
    }

    /** @param remedy who does say it, as a clause */
    private void missing(String kind, List<String> keys, Map<String, String> values, String remedy) {
        List<String> gone =
                keys.stream().filter(key -> !values.containsKey(key)).toList();
        if (!gone.isEmpty()) {
            problems.add(name + " does not say the " + kind + (gone.size() == 1 ? " " : "s ") + String.join(", ", gone)
                    + "; " + remedy);
        }
    }

    private List<Run> valid(Subject subject) {
        return result.runs().stream()
                .filter(run -> run.subject().equals(subject.name()) && run.isValid())
                .toList();
    }

    private void check(Subject subject) {
        List<Run> runs = valid(subject);
        if (runs.isEmpty()) {
            List<String> reasons = result.runs().stream()
                    .filter(run -> run.subject().equals(subject.name()))
                    .flatMap(run -> run.reasons().stream())
                    .distinct()
                    .toList();
            problems.add(name + ": no run of " + subject.name() + " is VALID"
                    + (reasons.isEmpty() ? "" : ": " + String.join("; ", reasons)));
            return;
        }
        List<String> unknown = CPU.stream()
                .filter(figure -> runs.stream().anyMatch(run -> !(value(run, figure) > 0)))
                .map(Figure::title)
                .toList();
        if (!unknown.isEmpty()) {
            problems.add(name + ": a run of " + subject.name() + " has no " + String.join(", no ", unknown)
                    + "; CPU seconds are read where processes or pods tell them");
        }
    }

    private static double value(Run run, Figure figure) {
        return run.figures().getOrDefault(figure, Double.NaN);
    }

    private MeasuredRates rates(Subject subject) {
        List<Run> runs = valid(subject);
        return new MeasuredRates(
                subject.broker(),
                subject.version(),
                origin(runs.size()),
                load(runs),
                new MeasuredRates.PerCore(
                        perCore(runs, Figure.CPU_GENERATOR),
                        perCore(runs, Figure.CPU_BROKER),
                        perCore(runs, Figure.CPU_JOB)));
    }

    private MeasuredRates.Origin origin(int runs) {
        Map<String, String> machine = result.environment();
        return new MeasuredRates.Origin(
                result.started().replaceAll("T.*", ""),
                result.id(),
                result.scenario(),
                runs,
                text(machine, COMMIT),
                text(machine, Environment.CPU),
                number(machine, "cores"),
                text(machine, "memory"),
                text(machine, "os"),
                text(machine, "java"));
    }

    private MeasuredRates.Load load(List<Run> runs) {
        Map<String, String> settings = result.settings();
        return new MeasuredRates.Load(
                rate(median(runs, Figure.ACCEPTED_RATE)),
                number(settings, "devices"),
                number(settings, "payload-bytes"),
                settings.getOrDefault("broker.compression", "as the broker's client has it by default"),
                Integer.parseInt(runs.get(0).effective().getOrDefault("replicas", "1")),
                number(settings, "partitions"),
                number(settings, "parallelism"),
                text(settings, "window"),
                text(settings, "state-backend"));
    }

    /** What was asked for, where that was kept; a search finds another. */
    private long rate(double accepted) {
        String asked = text(result.settings(), "rate");
        boolean isKept = asked.matches("\\d{1,10}") && Math.abs(accepted / Long.parseLong(asked) - 1) < KEPT;
        return isKept ? Long.parseLong(asked) : Math.round(accepted);
    }

    private static String text(Map<String, String> values, String key) {
        return values.getOrDefault(key, "");
    }

    private int number(Map<String, String> values, String key) {
        try {
            return Integer.parseInt(text(values, key).replace("_", ""));
        } catch (NumberFormatException e) {
            throw new UserException(
                    name + ": " + key + " is '" + text(values, key) + "'; it must be a whole number", e);
        }
    }

    private static long perCore(List<Run> runs, Figure cpuSecondsPerMillion) {
        return Math.round(MILLION / median(runs, cpuSecondsPerMillion));
    }

    private static double median(List<Run> runs, Figure figure) {
        return Median.withDefaults()
                .evaluate(runs.stream().mapToDouble(run -> value(run, figure)).toArray());
    }
}
