package dev.millrace.perf;

import dev.millrace.perf.result.BaselineFigure;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.Comparison;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.ResultFile;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.statistics.Comparisons;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Makes a result and writes it to a folder: two subjects and a floor, unless told otherwise. */
final class Results {
    /** CPU seconds per million readings of five runs, 2 % from run to run. */
    static final double[] STEADY = {20, 20.5, 19.6, 20.2, 19.9};

    private final Map<String, String> environment = new TreeMap<>(Map.of(
            "cpu",
            "Model 7",
            "cores",
            "2",
            "memory",
            "15990 MiB",
            "os",
            "Linux 6.1",
            "architecture",
            "amd64",
            "java",
            "VM 17",
            "commit",
            "c0ffee",
            "job jar sha256",
            "aa11"));
    private final Map<String, String> settings =
            new TreeMap<>(Map.of("rate", "5000", "durability", "vendor-default", "pairs", "5"));
    private final Map<String, String> effective =
            new TreeMap<>(Map.of("server version", "1.0", "replicas", "1", "fsync", "never"));
    private final Map<String, Double> evidence = new TreeMap<>();
    private final List<String> remarks = new ArrayList<>();
    private final List<Subject> subjects = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final Map<BaselineFigure, Double> baseline = new EnumMap<>(BaselineFigure.class);
    private String scenario = "quick";
    private boolean interrupted;

    /** Floor, {@code north} and {@code south}, five VALID runs of each of the two. */
    static Results usual() {
        return new Results()
                .subject("floor", true, 3)
                .subject("north", false, STEADY)
                .subject("south", false, 31, 30, 29.6, 30.4, 30.2);
    }

    Results subject(String name, boolean floor, double... cpu) {
        subjects.add(new Subject(name, name, "1.0", floor));
        for (double value : cpu) {
            run(name, Map.of(Figure.CPU_TOTAL, value, Figure.SEND_P99, value / 2, Figure.LAG_MAX, 0.0));
        }
        return this;
    }

    Results run(String subject, Map<Figure, Double> figures, String... reasons) {
        int block =
                (int) runs.stream().filter(run -> run.subject().equals(subject)).count();
        runs.add(new Run(
                subject + "-" + block,
                subject,
                block,
                "2026-07-20T00:00:00Z",
                List.of(reasons),
                figures,
                List.of(),
                "equal",
                true,
                Map.copyOf(effective),
                Map.copyOf(evidence),
                List.of(),
                "",
                List.copyOf(remarks)));
        return this;
    }

    /** One that was to be made behind the others, and was not. */
    Results missing(String subject) {
        missing.add(subject);
        return this;
    }

    Results scenario(String name) {
        scenario = name;
        return this;
    }

    Results environment(String key, String value) {
        environment.put(key, value);
        return this;
    }

    /** It does not say that of its environment. */
    Results without(String key) {
        environment.remove(key);
        return this;
    }

    Results baseline(BaselineFigure figure, double value) {
        baseline.put(figure, value);
        return this;
    }

    Results setting(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** Of the runs that are added after this. */
    Results effective(String key, String value) {
        effective.put(key, value);
        return this;
    }

    /** Of the runs that are added after this. */
    Results evidence(String key, double value) {
        evidence.put(key, value);
        return this;
    }

    /** Of the runs that are added after this. */
    Results remark(String sentence) {
        remarks.add(sentence);
        return this;
    }

    Results interrupted() {
        interrupted = true;
        return this;
    }

    /** The folder, with the result in it. */
    Path in(Path folder) {
        List<Comparison> comparisons =
                Comparisons.of(runs, subjects, Figure.CPU_TOTAL, "the memory budget was not enforced", 1);
        BenchmarkResult result = new BenchmarkResult(
                BenchmarkResult.SCHEMA,
                scenario + "-" + folder.getFileName(),
                scenario,
                "A scenario.",
                settings,
                "2026-07-20T00:00:00Z",
                "2026-07-20T00:10:00Z",
                interrupted,
                1,
                Stream.concat(runs.stream().map(Run::subject), missing.stream()).toList(),
                environment,
                baseline,
                List.of("One machine."),
                subjects,
                runs,
                comparisons);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ResultFile.write(result, folder);
        return folder;
    }
}
