package dev.millrace.perf;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.perf.report.Reports;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.ResultFile;
import dev.millrace.perf.result.ResultJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace report}: a result's files for people, made again from its JSON. */
@CommandLine.Command(
        name = "report",
        description = {
            "Write a result's report.html, report.md, runs.csv and samples.csv again, from its result.json, and print the path of",
            "the HTML. Nothing is measured, and result.json stays as it is."
        },
        footer = {
            "",
            "Exit code 0: written. 2: there is no result, or it is not whole. 3: a file cannot be read, or the folder not written."
        })
public final class ReportCommand implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Parameters(index = "0", paramLabel = "RESULT", description = "a result's folder, or its result.json")
    Path named;

    @Option(names = "--to", paramLabel = "DIR", description = "where the files go (default: the result's folder)")
    @Nullable
    Path to;

    @Override
    public Integer call() {
        Path file = ResultFile.in(named).toAbsolutePath().normalize();
        BenchmarkResult result = ResultJson.read(file);
        Path folder = to == null ? file.resolveSibling("") : to.toAbsolutePath().normalize();
        writable(folder);
        PrintWriter out = spec.commandLine().getOut();
        out.println(Reports.write(result, folder));
        out.flush();
        return Millrace.OK;
    }

    private static void writable(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new EnvironmentException(
                    "cannot make the folder " + folder + " for the report: " + e.getMessage()
                            + "; name one that can be written: --to DIR",
                    e);
        }
        if (!Files.isWritable(folder)) {
            throw new EnvironmentException(
                    "cannot write to the folder " + folder + "; name one that can be written: --to DIR");
        }
    }
}
