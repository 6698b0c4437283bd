package dev.millrace.perf;

import dev.millrace.deploy.command.Command;
import dev.millrace.perf.backlog.BacklogCommand;
import dev.millrace.perf.comparison.LocalGround;
import dev.millrace.perf.latency.LatencyCommand;
import dev.millrace.perf.publish.PublishCommand;
import picocli.CommandLine;

/** {@code millrace benchmark}: a scenario on several brokers; and the parent of all that measures. */
@CommandLine.Command(
        name = "benchmark",
        description = {
            "Run a scenario on several brokers, each run on a new stack, interleaved in random order, every run audited, and",
            "write one report. A run that misses a gate (rate, lag, audit ...) is listed as INVALID and never compared."
        },
        footer = {
            "",
            "Scenarios are files in perf/scenarios. Results are kept in RUN-DIR/results/SCENARIO-TIME: report.html, report.md,",
            "result.json, runs.csv, samples.csv and each run's latencies (.hlog).",
            "Exit code 0: every broker has a VALID run, and no audit found a difference. 1: not so. 130: ended by Ctrl-C (143: by",
            "SIGTERM); what was measured until then is kept."
        },
        subcommands = {BacklogCommand.class, LatencyCommand.class, PublishCommand.class},
        synopsisSubcommandLabel = "[BENCHMARK]")
public final class BenchmarkCommand implements Command {
    @CommandLine.Mixin
    BenchmarkOptions options;

    /** A scenario may be called as a sub-command is: behind {@code --scenario} it is a scenario. */
    @Override
    public CommandLine commandLine() {
        return new CommandLine(this).setAllowSubcommandsAsOptionParameters(true);
    }

    @Override
    public Integer call() {
        return options.run(
                (installation, scenario, file, up, base) -> new LocalGround(installation, scenario, up, base));
    }
}
