package dev.millrace.deploy.kubernetes;

import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Millrace;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace down --target kubernetes}: only what a deploy of ours made, and its volumes only when asked. */
@CommandLine.Command(
        name = "down",
        description = {
            "Remove a stack from its cluster: what up made there and nothing else. Its volumes, and the Secrets that belong to",
            "them, stay unless --data is named; then the next up goes on where this one stopped."
        })
final class DownVerb implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Place place;

    @Option(
            names = "--data",
            description = "delete its volumes, its Secrets and, when nothing else is in it, its namespace too")
    boolean data;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (Cluster cluster = place.connect()) {
            ClusterStack stack = stack(cluster);
            ClusterStopper stopper = new ClusterStopper(stack);
            int removed = stopper.down(data);
            int claims = OwnedObjects.claims(stack).size();
            out.println(
                    removed == 0
                            ? "There is no stack of " + stack.broker() + " in namespace " + stack.namespace() + " on "
                                    + cluster.context() + "; nothing to do."
                            : "The stack of " + stack.broker() + " is down: " + removed
                                    + " objects removed from namespace " + stack.namespace() + " on "
                                    + cluster.context() + "."
                                    + (claims > 0
                                            ? " Its " + claims
                                                    + " volumes and their Secrets stay: up goes on from them,"
                                                    + " down --data deletes them."
                                            : ""));
            if (data) {
                stopper.removeNamespace().ifPresent(out::println);
            }
            out.flush();
        }
        return Millrace.OK;
    }

    /** Also one of which only the volumes are left, or half: then it must be named. */
    private ClusterStack stack(Cluster cluster) {
        return place.broker()
                .map(broker -> new ClusterStack(cluster, place.namespace(broker), broker))
                .orElseGet(() -> place.stack(cluster));
    }
}
