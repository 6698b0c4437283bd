package dev.millrace.deploy.kubernetes.production;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.ObjectPlan;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import dev.millrace.deploy.kubernetes.image.BaseImage;
import dev.millrace.deploy.kubernetes.image.Destination;
import dev.millrace.deploy.kubernetes.image.ImageSet;
import dev.millrace.deploy.kubernetes.stack.ClusterLauncher;
import dev.millrace.deploy.kubernetes.stack.Credentials;
import dev.millrace.deploy.kubernetes.stack.Preflight;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.sizing.Derivation;
import dev.millrace.deploy.sizing.Overlay;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Brings a stack of the production shape up, or changes one that is there: plan, checks, and then one stage after the other. Used by one thread. */
public final class ProductionLauncher {
    /** What the images of this size stand on: Flink with its scripts, for its operator. */
    public static final String BASE = "flink:1.20.3-scala_2.12-java17";

    /** Pods that operators make are not all as strict as ours. */
    private static final String POD_SECURITY = "baseline";

    /**
     * How {@link #up} goes about it.
     *
     * @param dryRun says what would be done and does nothing on the cluster
     * @param takesConflicts sets back what others have set since
     * @param base what the image stands on
     * @param registry where the image is pushed to; empty makes none
     * @param definitions a file or folder of definitions that are applied where they are missing
     */
    public record Manner(
            boolean dryRun,
            boolean takesConflicts,
            BaseImage base,
            Optional<String> registry,
            Optional<Path> definitions) {}

    private final Installation installation;
    private final ClusterStack stack;
    private final Cluster cluster;
    private final Path runDirectories;
    private final PrintWriter out;
    private final Needs needs;
    private final Path overlay;

    public ProductionLauncher(Installation installation, ClusterStack stack, Path runDirectories, PrintWriter out) {
        this.installation = installation;
        this.stack = stack;
        this.cluster = stack.cluster();
        this.runDirectories = runDirectories;
        this.out = out;
        this.needs = Needs.of(installation, stack.broker());
        this.overlay = Needs.folder(installation, stack.broker());
    }

    /** The same for a rate: what it takes is written beside the kustomization, which then stands on it. */
    public void up(Derivation derivation, ProductionManifests.Given named, Manner manner) {
        Path sized = ClusterLauncher.folder(runDirectories, stack).resolveSibling(stack.namespace() + "-sized");
        Overlay.of(derivation, installation.root(), sized).write(sized);
        up(named.withSized(sized, derivation.request().brokerNodes()), manner);
    }

    public void up(ProductionManifests.Given named, Manner manner) {
        boolean namespaceIsThere = cluster.hasNamespace(stack.namespace());
        new Preflight(cluster).rights(stack.namespace(), !namespaceIsThere, ProductionPreflight.rights(needs));
        out.println("The stack of " + stack.broker() + ", size " + ClusterStack.PRODUCTION + ", on " + cluster.context()
                + " (" + cluster.version() + "), namespace " + stack.namespace());
        out.flush();
        Credentials credentials =
                Credentials.lookAtStore(cluster.client(), stack.namespace(), stack.broker(), Instant.now());
        ProductionManifests.Given given = manner.registry().isEmpty() ? named : withImage(named, manner);
        ProductionManifests manifests =
                new ProductionManifests(stack, overlay, ClusterLauncher.folder(runDirectories, stack), given);
        List<GenericKubernetesResource> objects = manifests.objects(cluster.kubectl(), credentials.until());
        Definitions definitions = new Definitions(cluster.client());
        List<GenericKubernetesResource> brought = manner.definitions()
                .map(place -> definitions.missing(Definitions.read(place)))
                .orElse(List.of());
        ProductionPreflight preflight = new ProductionPreflight(stack, needs, given, overlay);
        preflight.look(objects, brought);
        preflight.data(objects);
        ObjectPlan plan = new ObjectPlan(cluster.client(), stack.broker(), manner.takesConflicts())
                .look(objects, namespaceIsThere, preflight.unknownKinds());
        preflight.room(plan.steps());
        preflight.found().forEach(line -> out.println("  as found: " + line));
        brought.forEach(one -> out.println("  + " + Owned.name(one)));
        ClusterLauncher.say(out, stack, plan, credentials, namespaceIsThere, manifests.folder());
        NodeRoom.grown(plan.steps(), needs).forEach(line -> out.println("  " + line));
        out.flush();
        refuse(preflight.problems());
        if (manner.dryRun()) {
            out.println("Nothing was done: --dry-run.");
            out.flush();
            return;
        }
        definitions.apply(brought);
        new ClusterLauncher(installation, stack, runDirectories, out)
                .apply(objects, credentials, namespaceIsThere ? "" : POD_SECURITY, () -> new Stages(stack, needs, out)
                        .run(plan));
        printWhere();
    }

    private void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new EnvironmentException(
                    "on " + cluster.context() + " this stack cannot come up yet, and nothing was made:\n    "
                            + String.join("\n    ", problems) + "\n  and then the same command again");
        }
    }

    private ProductionManifests.Given withImage(ProductionManifests.Given named, Manner manner) {
        installation.builtPlugin(stack.broker());
        Destination registry = new Destination.Registry(manner.registry().orElseThrow());
        Destination destination = manner.dryRun() ? new Destination.Plan(registry) : registry;
        String image = ImageSet.millrace(installation, stack.broker(), manner.base(), destination, out)
                .reference();
        return named.withImage(image);
    }

    private void printWhere() {
        String kubectl = "kubectl --context " + cluster.context() + " --namespace " + stack.namespace();
        out.println();
        out.println("  namespace  " + stack.namespace());
        out.println("  job        " + kubectl + " get flinkdeployment job; its page: " + kubectl
                + " port-forward service/job-rest 8081");
        out.println("  generator  " + kubectl
                + " port-forward statefulset/generator 8090    then http://127.0.0.1:8090/state");
        out.println();
        out.println("  look       millrace status " + stack.arguments());
        out.println(
                "  stop       millrace down " + stack.arguments() + " (--data: all that data are bound to as well)");
        out.flush();
    }
}
