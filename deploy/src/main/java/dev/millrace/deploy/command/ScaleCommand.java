package dev.millrace.deploy.command;

import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.lifecycle.StackLauncher;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace scale}. */
@CommandLine.Command(
        name = "scale",
        description = {
            "Change the job's parallelism while the stack runs: the job goes on from a savepoint in new processes, with",
            "slots and memory to match. Says for how long no rows came."
        })
public final class ScaleCommand implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Selection selection;

    @Option(
            names = "--parallelism",
            required = true,
            paramLabel = "N",
            description = "subtasks of the job, from 1 to the number of partitions, at most 128")
    int parallelism;

    @Override
    public Integer call() {
        RunDirectory directory = selection.stack();
        new StackLauncher(
                        Installation.of(directory),
                        directory,
                        spec.commandLine().getOut())
                .scale(parallelism);
        return Millrace.OK;
    }
}
