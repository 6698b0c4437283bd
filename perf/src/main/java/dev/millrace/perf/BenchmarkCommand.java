package dev.millrace.perf;

import dev.millrace.deploy.command.Command;
import dev.millrace.perf.backlog.BacklogCommand;
import dev.millrace.perf.latency.LatencyCommand;
import picocli.CommandLine;

/** {@code millrace benchmark}: the parent of all that measures. */
@CommandLine.Command(
        name = "benchmark",
        description = "Measure a broker with the same job and the same load.",
        subcommands = {BacklogCommand.class, LatencyCommand.class},
        synopsisSubcommandLabel = "BENCHMARK")
public final class BenchmarkCommand implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return dev.millrace.deploy.command.Millrace.USER_ERROR;
    }
}
