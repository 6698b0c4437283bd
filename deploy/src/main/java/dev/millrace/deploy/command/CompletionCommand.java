package dev.millrace.deploy.command;

import picocli.AutoComplete;
import picocli.CommandLine;

/** {@code millrace completion}: a script that completes commands and options in bash and zsh. */
@CommandLine.Command(
        name = "completion",
        description = "Print a completion script for bash and zsh.",
        footer = {"", "Use it in this shell:  source <(deploy/bin/millrace completion)"})
public final class CompletionCommand implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(AutoComplete.bash("millrace", Millrace.commandLine()));
        spec.commandLine().getOut().flush();
        return Millrace.OK;
    }
}
