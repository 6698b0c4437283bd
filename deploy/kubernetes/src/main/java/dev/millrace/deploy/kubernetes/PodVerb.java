package dev.millrace.deploy.kubernetes;

import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
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
            return verb.equals("audit") || verb.equals(ClusterStack.GENERATOR)
                    ? inEach(stack, stack.allGenerators(), command)
                    : stack.run(command, System.out, System.err);
        }
    }

    /** Each generator has a ledger of its own, and answers for its own devices. */
    private static int inEach(ClusterStack stack, List<String> pods, List<String> command) {
        int worst = 0;
        for (int i = 0; i < pods.size(); i++) {
            if (pods.size() > 1) {
                System.err.println(pods.get(i) + ", " + (i + 1) + " of " + pods.size() + ":");
            }
            worst = Math.max(worst, stack.run(pods.get(i), share(command, i, pods.size()), System.out, System.err));
        }
        return worst;
    }

    /** Of a rate each generator has its part, as prepare.sh deals it out. */
    static List<String> share(List<String> command, int generator, int generators) {
        int rate = command.indexOf("rate") + 1;
        if (generators == 1
                || rate == 0
                || rate == command.size()
                || !command.get(rate).matches("\\d{1,18}")) {
            return command;
        }
        List<String> own = new ArrayList<>(command);
        own.set(rate, Long.toString((Long.parseLong(command.get(rate)) + generators - 1 - generator) / generators));
        return own;
    }
}
