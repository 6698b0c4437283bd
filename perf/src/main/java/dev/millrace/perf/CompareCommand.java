package dev.millrace.perf;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.perf.change.ChangeText;
import dev.millrace.perf.change.ResultChange;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.ResultFile;
import dev.millrace.perf.result.ResultJson;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace compare}: two results of the same scenario, such as those of two commits. */
@CommandLine.Command(
        name = "compare",
        description = {
            "Compare two results of millrace benchmark, each subject with itself: medians of VALID runs, the ratio B / A and its",
            "95 %% interval. Machine, scenario and settings must be alike, or there is no verdict."
        },
        footer = {
            "",
            "A and B are folders of results, or result.json files. A regression: the interval of a watched figure is wholly on the",
            "worse side of 1. Watched are the figure that decides in the scenario, and those of --figure; each of each subject has a",
            "chance of one in forty to alarm without a cause, and more when the machine itself changed between A and B.",
            "Exit code 0: compared. 2: the input is wrong. 3: a file cannot be read.",
            "4: a regression, with --fail-on-regression."
        })
public final class CompareCommand implements Command {
    /** Exit code: a regression. */
    public static final int REGRESSION = 4;

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A", description = "the result that is held to be right")
    Path a;

    @Parameters(index = "1", paramLabel = "B", description = "the result that is held against it")
    Path b;

    @Option(
            names = "--subject",
            paramLabel = "NAME[:NAME]",
            description = "only this one; or that of A, held against that of B; may be repeated (default: all in both)")
    List<String> subjects = List.of();

    @Option(
            names = "--figure",
            paramLabel = "KEY",
            description = "watch this figure too, such as sendP99Millis; may be repeated")
    List<String> figures = List.of();

    @Option(
            names = "--fail-on-regression",
            description = {
                "exit with code 4 when a watched figure became worse, with 2 when that cannot be told (too few VALID runs,",
                "a greater share of INVALID ones in B than in A, CPU on a full machine, a search that kept the greatest rate that it tried, a",
                "figure of --figure in neither result, or what must be alike is not)"
            })
    boolean failOnRegression;

    @Option(names = "--json", description = "print one JSON document")
    boolean json;

    @Override
    public Integer call() {
        Set<Figure> watched = EnumSet.noneOf(Figure.class);
        figures.forEach(key -> watched.add(figure(key)));
        BenchmarkResult resultA = ResultJson.read(ResultFile.in(a));
        BenchmarkResult resultB = ResultJson.read(ResultFile.in(b));
        ResultChange change = ResultChange.of(resultA, resultB, subjects, watched);
        if (failOnRegression && change.comparable() && !change.isWatched()) {
            throw new UserException("--fail-on-regression: " + String.join("; ", change.verdict()));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? ResultJson.document(change) : ChangeText.of(change));
        out.flush();
        if (failOnRegression && change.regression()) {
            return REGRESSION;
        }
        List<String> unjudged = change.unjudged(watched);
        if (failOnRegression && !unjudged.isEmpty()) {
            throw new UserException(
                    "--fail-on-regression: whether it became worse is not known: " + String.join("; ", unjudged));
        }
        return Millrace.OK;
    }

    private static Figure figure(String key) {
        List<String> keys = Stream.of(Figure.values()).map(Figure::key).toList();
        int index = keys.indexOf(key);
        if (index < 0) {
            throw new UserException("--figure: there is no figure '" + key + "'"
                    + Suggestion.nearest(key, keys)
                            .map(near -> "; did you mean '" + near + "'?")
                            .orElse("; there are: " + String.join(", ", keys)));
        }
        return Figure.values()[index];
    }
}
