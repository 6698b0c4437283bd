package dev.millrace.deploy.kubernetes;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Command;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** A verb of this machine that is run as it is in the stack's own pod, beside the ledger, and whose exit code is handed on. */
@CommandLine.Command
final class PodVerb implements Command {
    private final String verb;
    private final String description;

    @CommandLine.Spec
    CommandSpec spec;

    @Mixin
    Place place;

    PodVerb(String verb, String description) {
        this.verb = verb;
        this.description = description;
    }

    @Override
    public CommandLine commandLine() {
        CommandSpec own = CommandSpec.forAnnotatedObject(this).name(verb);
        own.usageMessage().description(description);
        own.usageMessage()
                .footer("", "It also takes all that it takes on this machine (millrace " + verb + " --help).");
        return new CommandLine(own).setUnmatchedArgumentsAllowed(true);
    }

    @Override
    public Integer call() {
        List<String> command = new ArrayList<>(List.of(verb));
        command.addAll(spec.commandLine().getUnmatchedArguments());
        try (Cluster cluster = place.connect()) {
            ClusterStack stack = place.stack(cluster);
            if (stack.isProduction() && !verb.equals(ClusterStack.GENERATOR)) {
                throw new UserException("'" + verb + "' does not work at size " + Needs.SIZE
                        + ": it runs in the generator's pod, which has no way into that store; ask the store itself, in the pods"
                        + " clickhouse-N of namespace " + stack.namespace());
            }
            return stack.run(command, System.out, System.err);
        }
    }
}
