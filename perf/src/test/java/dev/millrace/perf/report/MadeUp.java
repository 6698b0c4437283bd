package dev.millrace.perf.report;

import dev.millrace.perf.cost.Cost;
import dev.millrace.perf.result.BaselineFigure;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.Comparison;
import dev.millrace.perf.result.Comparison.Verdict;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** A result as a benchmark could have left it: two brokers that are nowhere, five blocks, one INVALID run, and the floor. */
final class MadeUp {
    static final String FERRY = "ferry";
    static final String SLUICE = "sluice";
    static final String FLOOR = "floor";
    static final String INVALID_RUN = "07-sluice";
    static final String REASON = "accepted 96.2 % of the schedule's readings; it must be 99 % or more";

    private static final int WARM_UP = 20;
    private static final int SECONDS = 90;
    private static final double RATE = 20_000;
    /** The INVALID run's, so that a test finds them where they must not be. */
    static final double INVALID_RATE = 19_240;

    private final Random random = new Random(7);

    private MadeUp() {}

    static BenchmarkResult result() {
        MadeUp made = new MadeUp();
        List<String> order = List.of(FLOOR, FERRY, SLUICE, SLUICE, FERRY, FERRY, SLUICE, SLUICE, FERRY, SLUICE, FERRY);
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < order.size(); i++) {
            runs.add(made.run(i, order.get(i), (i + 1) / 2));
        }
        return new BenchmarkResult(
                BenchmarkResult.SCHEMA,
                "steady-20261120-101500",
                "steady",
                "A constant load of small readings, one topic, one job, brokers one after the other on the same machine.",
                Map.of("rate", "20000", "devices", "1000", "partitions", "4", "warm-up", "20s", "measure", "70s"),
                "2026-11-20T10:15:00Z",
                "2026-11-20T10:52:41Z",
                false,
                42,
                order,
                Map.of(
                        "commit", "39f1628",
                        "cores", "2",
                        "cpu", "AMD EPYC 7R13",
                        "java", "17.0.15",
                        "kernel", "6.1.0-28-amd64",
                        "memory", "15.4 GiB"),
                Map.of(BaselineFigure.FSYNC_P50, 812.0, BaselineFigure.GENERATOR_ALONE, 310_000.0),
                List.of(
                        "One machine, replication 1: compares these settings here, not the brokers in production.",
                        "Generator, broker, job and store share 2 cores; what one takes the others lack."),
                List.of(
                        new Subject(FERRY, FERRY, "3.9.1", false),
                        new Subject(SLUICE, SLUICE, "4.0.6", false),
                        new Subject(FLOOR, "memory", "", true)),
                runs,
                comparisons());
    }

    /** The same with only what every result has. */
    static BenchmarkResult empty() {
        return new BenchmarkResult(
                BenchmarkResult.SCHEMA,
                "empty",
                "steady",
                "",
                Map.of(),
                "",
                "",
                true,
                1,
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** The made-up result with other runs and comparisons. */
    static BenchmarkResult with(List<Run> runs, List<Comparison> comparisons) {
        return with(result(), runs, comparisons);
    }

    /** That result with other runs. */
    static BenchmarkResult with(BenchmarkResult all, List<Run> runs) {
        return with(all, runs, all.comparisons());
    }

    private static BenchmarkResult with(BenchmarkResult all, List<Run> runs, List<Comparison> comparisons) {
        return new BenchmarkResult(
                all.schema(),
                all.id(),
                all.scenario(),
                all.description(),
                all.settings(),
                all.started(),
                all.ended(),
                all.interrupted(),
                all.seed(),
                all.order(),
                all.environment(),
                all.baseline(),
                all.caveats(),
                all.subjects(),
                runs,
                comparisons);
    }

    /** The made-up result on instances: settings say what they cost, the figures of runs what that is for readings. */
    static BenchmarkResult costing(Cost cost) {
        BenchmarkResult all = result();
        Map<String, String> settings = new TreeMap<>(all.settings());
        settings.putAll(cost.settings());
        return new BenchmarkResult(
                all.schema(),
                all.id(),
                all.scenario(),
                all.description(),
                settings,
                all.started(),
                all.ended(),
                all.interrupted(),
                all.seed(),
                all.order(),
                all.environment(),
                all.baseline(),
                all.caveats(),
                all.subjects(),
                all.runs().stream().map(cost::in).toList(),
                all.comparisons());
    }

    /** A text in every place where a text can be. */
    static BenchmarkResult saying(String text) {
        Map<String, String> texts = Map.of(text, text);
        Run run = new Run(
                text,
                text,
                1,
                text,
                List.of(),
                Map.of(Figure.CPU_TOTAL, 3.0, Figure.CPU_BROKER, 1.0),
                List.of(new Run.Quantile(0.5, 1), new Run.Quantile(0.99, 2)),
                text,
                true,
                texts,
                Map.of(text, 1.0),
                List.of(new Sample(0, text, 1.0, 1.0, 1L, 1L, 1.0, Map.of(text, 1.0), Map.of(text, 1.0))),
                text,
                List.of(text));
        Run invalid = new Run(
                text + "2",
                text,
                2,
                text,
                List.of(text),
                Map.of(),
                List.of(),
                text,
                false,
                texts,
                Map.of(),
                List.of(),
                text,
                List.of());
        Comparison comparison = new Comparison(
                Figure.CPU_TOTAL,
                true,
                text,
                text + "2",
                4,
                3,
                4,
                1.3,
                1.2,
                1.4,
                2,
                1.05,
                Double.NaN,
                List.of(),
                Verdict.A_BETTER,
                text);
        return new BenchmarkResult(
                text,
                text,
                text,
                text,
                texts,
                text,
                text,
                true,
                1,
                List.of(text),
                texts,
                Map.of(),
                List.of(text),
                List.of(new Subject(text, text, text, false), new Subject(text + "2", text, text, true)),
                List.of(run, invalid),
                List.of(comparison));
    }

    private Run run(int index, String subject, int block) {
        String id = String.format(Locale.ROOT, "%02d-%s", index + 1, subject);
        boolean invalid = id.equals(INVALID_RUN);
        boolean floor = subject.equals(FLOOR);
        double slow = subject.equals(SLUICE) ? 1.32 : floor ? 0.35 : 1;
        double spread = 1 + 0.03 * random.nextGaussian();
        Map<Figure, Double> figures = new TreeMap<>();
        figures.put(Figure.ACCEPTED_RATE, invalid ? INVALID_RATE : RATE + 4 * random.nextGaussian());
        figures.put(Figure.PROCESSED_RATE, invalid ? INVALID_RATE : RATE + 15 * random.nextGaussian());
        figures.put(Figure.SEND_P50, 2.4 * slow * spread);
        figures.put(Figure.SEND_P99, 11.2 * slow * spread);
        figures.put(Figure.SEND_P999, 31 * slow * (1 + 0.1 * random.nextGaussian()));
        figures.put(Figure.SEND_MAX, 96 * slow * (1 + 0.2 * random.nextGaussian()));
        figures.put(Figure.ROWS_P50, 214 * spread);
        figures.put(Figure.CPU_GENERATOR, 4.1 * spread);
        figures.put(Figure.CPU_JOB, 14.2 * spread);
        figures.put(Figure.CPU_STORE, 1.9 * spread);
        if (!floor) {
            figures.put(Figure.CPU_BROKER, 6.3 * slow * slow * spread);
            figures.put(Figure.MEMORY_BROKER, 618 * slow * slow * spread);
        }
        figures.put(Figure.CPU_TOTAL, (20.2 + (floor ? 0 : 6.3 * slow * slow)) * spread);
        figures.put(Figure.MEMORY_TOTAL, (2_140 + (floor ? 0 : 618 * slow * slow)) * spread);
        figures.put(Figure.LAG_MAX, invalid ? 48_210.0 : 5_200 * slow * spread);
        Map<String, String> effective = floor
                ? Map.of("replicas", "1")
                : Map.of("replicas", "1", "acknowledged by", "all replicas", "synced before", "no");
        return new Run(
                id,
                subject,
                block,
                String.format(Locale.ROOT, "2026-11-20T10:%02d:00Z", 15 + 3 * index),
                invalid ? List.of(REASON, "the lag grew by 410 readings/s; it must not grow") : List.of(),
                figures,
                curve(slow * spread, invalid ? 6 : 1),
                "1,800,000 readings, 0 lost, 0 twice",
                true,
                effective,
                Map.of(
                        "rateShare",
                        invalid ? 0.962 : 0.9998 + 0.0001 * random.nextGaussian(),
                        "stealShare",
                        0.002 + 0.001 * random.nextDouble(),
                        "latenessMillisMax",
                        invalid ? 840 : 12 + 6 * random.nextDouble(),
                        "lagSlope",
                        invalid ? 410 : 3 * random.nextGaussian(),
                        "swapBytes",
                        0.0,
                        "clockOffsetMillis node-a to node-b",
                        0.4 - 0.1 * index,
                        "clockUncertaintyMillis node-a to node-b",
                        0.2),
                samples(invalid, slow),
                id + ".hlog",
                List.of());
    }

    private List<Run.Quantile> curve(double slow, double tail) {
        List<Run.Quantile> curve = new ArrayList<>();
        // A step of log 2 / 3, so that the half is a point of it.
        for (double nines = 0; nines <= 5.05; nines += Math.log10(2) / 3) {
            double millis = slow * (0.9 + 3.1 * nines + 0.9 * Math.pow(nines, 2.6) * tail);
            curve.add(new Run.Quantile(1 - Math.pow(10, -nines), millis));
        }
        curve.add(new Run.Quantile(1, curve.get(curve.size() - 1).millis() * 1.3));
        return curve;
    }

    private List<Sample> samples(boolean invalid, double slow) {
        List<Sample> samples = new ArrayList<>();
        for (int second = 0; second < SECONDS; second++) {
            double up = Math.min(1, (second + 1) / 6.0);
            double rate = invalid ? INVALID_RATE : RATE;
            boolean unknown = second % 37 == 36;
            samples.add(new Sample(
                    second,
                    second < WARM_UP ? "warm-up" : "measure",
                    unknown ? null : rate * up + 60 * random.nextGaussian(),
                    unknown ? null : rate * up + 900 * random.nextGaussian(),
                    unknown ? null : Math.max(0, Math.round(slow * (2_600 + 900 * random.nextGaussian()))),
                    5L,
                    9 * slow,
                    Map.of("broker", 0.2 * slow, "job", 0.4),
                    Map.of("broker", 600.0, "job", 900.0)));
        }
        return samples;
    }

    private static List<Comparison> comparisons() {
        String better = FERRY + " was better.";
        return List.of(
                one(
                        Figure.SEND_P99,
                        true,
                        Verdict.A_BETTER,
                        "ferry was better: from the intended send time to accepted, p99 was 1.32 times as long on sluice"
                                + " (95 % interval 1.27 to 1.37, 4 pairs).",
                        11.3,
                        14.8,
                        1.318,
                        1.271,
                        1.366,
                        5.9,
                        1.058),
                one(
                        Figure.ACCEPTED_RATE,
                        false,
                        Verdict.NO_DIFFERENCE,
                        "No difference; one of 0.04 % or more would have been seen.",
                        20_000,
                        20_001,
                        1.0001,
                        0.9998,
                        1.0003,
                        0.2,
                        1.0004),
                one(Figure.SEND_P50, false, Verdict.A_BETTER, better, 2.41, 3.17, 1.315, 1.266, 1.361, 5.5, 1.06),
                one(Figure.SEND_P999, false, Verdict.A_BETTER, better, 31.4, 39.9, 1.27, 1.09, 1.49, 1.6, 1.21),
                one(
                        Figure.ROWS_P50,
                        false,
                        Verdict.NO_DIFFERENCE,
                        "No difference; one of 4.7 % or more would have been seen.",
                        214,
                        213,
                        0.995,
                        0.962,
                        1.031,
                        -0.2,
                        1.047),
                one(Figure.CPU_BROKER, false, Verdict.A_BETTER, better, 6.28, 10.9, 1.742, 1.69, 1.801, 8.8, 1.04),
                one(
                        Figure.CPU_JOB,
                        false,
                        Verdict.B_BETTER,
                        "sluice was better.",
                        14.4,
                        13.5,
                        0.938,
                        0.91,
                        0.966,
                        -1.9,
                        1.04),
                one(
                        Figure.MEMORY_BROKER,
                        false,
                        Verdict.NONE,
                        "Figures only: one pair is too few for an interval.",
                        618,
                        1_076,
                        1.741),
                one(Figure.DISK_WRITTEN_BROKER, false, Verdict.NONE, "Nothing is known."));
    }

    /** Numbers in the order of the record; those that are left out are NaN. */
    private static Comparison one(Figure figure, boolean decides, Verdict verdict, String sentence, double... numbers) {
        double[] all = new double[7];
        for (int i = 0; i < all.length; i++) {
            all[i] = i < numbers.length ? numbers[i] : Double.NaN;
        }
        int pairs = numbers.length == all.length ? 4 : numbers.length == 0 ? 0 : 1;
        return new Comparison(
                figure,
                decides,
                FERRY,
                SLUICE,
                pairs,
                all[0],
                all[1],
                all[2],
                all[3],
                all[4],
                all[5],
                all[6],
                Double.NaN,
                List.of(),
                verdict,
                sentence);
    }
}
