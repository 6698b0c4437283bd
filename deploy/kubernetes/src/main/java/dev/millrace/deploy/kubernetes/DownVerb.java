package dev.millrace.deploy.kubernetes;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.OwnedObjects;
import dev.millrace.deploy.kubernetes.production.Definitions;
import dev.millrace.deploy.kubernetes.production.MadeObjects;
import dev.millrace.deploy.kubernetes.production.Needs;
import dev.millrace.deploy.kubernetes.production.ProductionStopper;
import dev.millrace.deploy.kubernetes.stack.ClusterStopper;
import dev.millrace.deploy.local.Installation;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace down --target kubernetes}: only what a deploy of ours made, and its volumes only when asked. */
@CommandLine.Command(
        name = "down",
        description = {
            "Remove a stack from its cluster: what up made there and nothing else. Its volumes, and the Secrets and settings that",
            "belong to them, stay unless --data is named; then the next up goes on where this one stopped. Of the production shape the job ends",
            "with a savepoint, objects of operators with which data would go stay as well, and settings, which stand in files, do not."
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

    @Option(
            names = "--crds",
            description = {
                "with --data: delete the CustomResourceDefinitions that up --crds applied, too; refused while others use them"
            })
    boolean crds;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (crds && !data) {
            throw new UserException(
                    "--crds goes with --data: with a definition go all objects of its kind, and data with them");
        }
        try (Cluster cluster = place.connect()) {
            ClusterStack stack = place.toEnd(cluster, data);
            Definitions definitions = new Definitions(cluster.client());
            List<CustomResourceDefinition> ours = crds ? definitions.ours() : List.of();
            Optional<Needs> production = Needs.find(Installation.here(), stack.broker());
            Optional<MadeObjects> made = production.map(needs -> new MadeObjects(stack, needs));
            definitions.refuseUsed(
                    ours, stack, object -> made.filter(one -> one.isOf(object)).isPresent());
            ClusterStopper stopper = new ClusterStopper(stack);
            Downed downed = production
                    .filter(needs -> ProductionStopper.isThere(stack, needs))
                    .map(needs -> production(stack, new ProductionStopper(stack, needs, out)))
                    .orElseGet(() -> small(stack, stopper));
            // It took minutes; who has an object of such a kind since then keeps it.
            definitions.refuseUsed(
                    ours, stack, object -> made.filter(one -> one.isOf(object)).isPresent());
            definitions.delete(ours);
            stopper.awaitGone(ours, false);
            out.println(downed.says());
            if (crds) {
                out.println(
                        ours.isEmpty()
                                ? "No CustomResourceDefinition here was made by up --crds: none is deleted."
                                : ours.size() + " CustomResourceDefinitions that up --crds had made are gone.");
            }
            if (data) {
                stopper.removeNamespace().ifPresent(out::println);
            }
            out.flush();
        }
        return Millrace.OK;
    }

    private Downed production(ClusterStack stack, ProductionStopper stopper) {
        int removed = stopper.down(data);
        return new Downed(stack, removed, stopper.stay(), stopper.claimsLeft(), false);
    }

    private Downed small(ClusterStack stack, ClusterStopper stopper) {
        int removed = stopper.down(data);
        return new Downed(stack, removed, List.of(), OwnedObjects.claims(stack).size(), true);
    }
}
