package dev.millrace.deploy.kubernetes.stack;

import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.core.process.StopHook;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.ObjectPlan;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import dev.millrace.deploy.kubernetes.cluster.OwnedObjects;
import dev.millrace.deploy.kubernetes.cluster.Rollout;
import dev.millrace.deploy.kubernetes.image.BaseImage;
import dev.millrace.deploy.kubernetes.image.Destination;
import dev.millrace.deploy.kubernetes.image.ImageSet;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.StackSettings;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Brings a stack up on a cluster, or changes one that is there, and waits until its rows are audited. Used by one thread. */
public final class ClusterLauncher {
    private static final Duration READY_BOUND = Duration.ofMinutes(8);
    /** After the first window's end. */
    private static final Duration FIRST_ROW_BOUND = Duration.ofMinutes(2);

    /**
     * How {@link #up} goes about it.
     *
     * @param dryRun says what would be done and does nothing on the cluster
     * @param takesConflicts sets back what others have set since
     * @param base what the images stand on
     * @param registry where they are pushed to; empty makes files
     */
    public record Manner(boolean dryRun, boolean takesConflicts, BaseImage base, Optional<String> registry) {}

    private final Installation installation;
    private final ClusterStack stack;
    private final Cluster cluster;
    private final KubernetesClient client;
    private final Path runDirectories;
    private final PrintWriter out;

    public ClusterLauncher(Installation installation, ClusterStack stack, Path runDirectories, PrintWriter out) {
        this.installation = installation;
        this.stack = stack;
        this.cluster = stack.cluster();
        this.client = cluster.client();
        this.runDirectories = runDirectories;
        this.out = out;
    }

    /** Whether a broker has manifests. */
    public static boolean has(Installation installation, String broker) {
        return Files.isRegularFile(StackManifests.overlay(installation.root(), broker));
    }

    /** @param named what a person named; the rest is as it is there, or by default */
    public void up(StackSettings named, Manner manner) {
        StackSettings settings = place(named, manner, UnaryOperator.identity());
        if (!manner.dryRun()) {
            audit(settings);
            printWhere();
        }
    }

    /**
     * Brings up what is meant, as far as pods that are ready; whether rows come nobody looks.
     *
     * @param named what a person named; the rest is as it is there, or by default
     * @param change makes of a stack's objects what is wanted of them
     * @return the settings as they are now
     */
    public StackSettings place(
            StackSettings named, Manner manner, UnaryOperator<List<GenericKubernetesResource>> change) {
        installation.builtPlugin(stack.broker());
        Optional<StackSettings> here = stack.settings();
        StackSettings settings = here.map(named::over).orElseGet(named::whole);
        refuseUnnamedDatabase(settings);
        // Its pods would say so, one by one.
        ResultStores.named(settings.store())
                .check(settings.isForeignStore() ? settings.foreignStoreOptions() : settings.storeOptions());
        here.ifPresent(before -> refuseWhatIsBoundToData(before, settings));
        boolean namespaceIsThere = cluster.hasNamespace(stack.namespace());
        new Preflight(cluster).rights(stack.namespace(), !namespaceIsThere);
        out.println((stack.size().isPresent()
                        ? "The stack of " + stack.broker() + " is on "
                        : "The stack of " + stack.broker() + " comes up on ")
                + cluster.context() + " (" + cluster.version() + "), namespace " + stack.namespace());
        out.flush();
        Credentials credentials = Credentials.look(client, stack.namespace(), stack.broker(), Instant.now());
        ImageSet images = build(manner);
        StackManifests manifests = manifests();
        List<GenericKubernetesResource> objects =
                change.apply(manifests.objects(cluster.kubectl(), settings, images, credentials.until()));
        ObjectPlan plan =
                new ObjectPlan(client, stack.broker(), manner.takesConflicts()).look(objects, namespaceIsThere);
        say(out, stack, plan, credentials, namespaceIsThere, manifests.folder());
        new Preflight(cluster)
                .room(plan.steps().stream()
                        .filter(step -> step.effect() == ObjectPlan.Effect.CREATE)
                        .map(ObjectPlan.Step::object)
                        .toList());
        if (manner.dryRun()) {
            out.println("Nothing was done: --dry-run.");
            out.flush();
            return settings;
        }
        new ImageDelivery(cluster, out).deliver(images.all());
        apply(objects, credentials, namespaceIsThere ? "" : "restricted", () -> {
            plan.apply();
            new Rollout(stack, out, READY_BOUND).await();
        });
        return settings;
    }

    /** Builds the images of these stacks and sees to it that the nodes have them; {@link #place} finds them there. */
    public static void deliverImages(Cluster cluster, List<ClusterLauncher> stacks, Manner manner, PrintWriter out) {
        new ImageDelivery(cluster, out)
                .deliver(stacks.stream()
                        .flatMap(stack -> stack.build(manner).all().stream())
                        .toList());
    }

    private ImageSet build(Manner manner) {
        return ImageSet.build(installation, stack.broker(), manner.base(), destination(manner), out);
    }

    /** The objects of a stack with these settings, as far as they are known before its images are built; nothing is done. */
    public List<GenericKubernetesResource> objects(StackSettings settings, Manner manner) {
        ImageSet images = ImageSet.build(
                installation,
                stack.broker(),
                manner.base(),
                new Destination.Plan(destination(manner)),
                new PrintWriter(Writer.nullWriter()));
        return manifests().objects(cluster.kubectl(), settings, images, Instant.EPOCH);
    }

    /** On this machine a stack makes up a name, and down drops that database; down on a cluster speaks with no store. */
    private static void refuseUnnamedDatabase(StackSettings settings) {
        if (settings.isForeignStore() && settings.text("store-database").isEmpty()) {
            throw new UserException("on Kubernetes a store of your own needs a database that you name, such as"
                    + " --store-database millrace; it is made if it is missing, and down leaves it");
        }
    }

    private static void refuseWhatIsBoundToData(StackSettings before, StackSettings after) {
        List<String> bound = before.boundToData(after);
        if (!bound.isEmpty()) {
            throw new UserException("the stack's data are made with other settings: " + String.join(", ", bound)
                    + "; take it down with --data first, or leave them");
        }
        if (after.partitions() < before.partitions()) {
            throw new UserException("the topic has " + before.partitions()
                    + " partitions, and they cannot be taken away: leave --partitions out, or name more");
        }
    }

    private Destination destination(Manner manner) {
        Destination destination = manner.registry()
                .<Destination>map(Destination.Registry::new)
                .orElseGet(
                        () -> new Destination.Folder(installation.root().resolve("deploy/kubernetes/target/images")));
        return manner.dryRun() ? new Destination.Plan(destination) : destination;
    }

    private StackManifests manifests() {
        return new StackManifests(
                installation.root(), folder(runDirectories, stack), stack.broker(), stack.namespace());
    }

    /** Where the kustomization of a stack is written. */
    public static Path folder(Path runDirectories, ClusterStack stack) {
        String context = stack.cluster().context().replaceAll("[^A-Za-z0-9._-]", "_");
        return runDirectories.resolve("kubernetes").resolve(context).resolve(stack.namespace());
    }

    /** The plan, object by object. */
    public static void say(
            PrintWriter out,
            ClusterStack stack,
            ObjectPlan plan,
            Credentials credentials,
            boolean namespaceIsThere,
            Path folder) {
        if (!namespaceIsThere) {
            out.println("  + Namespace/" + stack.namespace());
        }
        credentials.effects().forEach(line -> out.println("  " + line));
        long same = plan.steps().stream()
                .filter(step -> step.effect() == ObjectPlan.Effect.SAME)
                .count();
        plan.steps().stream()
                .filter(step -> step.effect() != ObjectPlan.Effect.SAME)
                .flatMap(step -> step.lines().stream())
                .forEach(line -> out.println("  " + line));
        if (same > 0) {
            out.println("  = " + same + " objects are as they should be");
        }
        out.println("  (the objects: kubectl kustomize " + folder + ")");
        out.flush();
    }

    /**
     * Makes what all else stands in, applies, and removes what is there no more.
     *
     * @param podSecurity what the namespace enforces that is made; empty when there is one
     * @param applying applies the objects and waits until they are ready
     */
    @SuppressWarnings("try") // a hook is held, not used
    public void apply(
            List<GenericKubernetesResource> objects, Credentials credentials, String podSecurity, Runnable applying) {
        try (StopHook interrupted = new StopHook("interrupted-up", () -> {
            out.println("Interrupted. What was applied stays: the same up again goes on, and millrace down "
                    + stack.arguments() + " removes it.");
            out.flush();
        })) {
            if (!podSecurity.isEmpty()) {
                makeNamespace(podSecurity);
            }
            credentials.ensure();
            applying.run();
            removeOthers(objects);
        }
    }

    private void makeNamespace(String podSecurity) {
        Map<String, String> labels = new TreeMap<>(Owned.labels(stack.broker()));
        labels.put("pod-security.kubernetes.io/enforce", podSecurity);
        labels.put("pod-security.kubernetes.io/warn", "restricted");
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(stack.namespace())
                        .withLabels(labels)
                        .endMetadata()
                        .build())
                .fieldManager(ObjectPlan.FIELD_MANAGER)
                .serverSideApply();
    }

    /** What an earlier up made and this one does not have, such as the settings before. */
    private void removeOthers(List<GenericKubernetesResource> objects) {
        Set<String> wanted = objects.stream().map(Owned::name).collect(Collectors.toSet());
        for (HasMetadata object : OwnedObjects.of(stack)) {
            boolean keeps = List.of("Secret", "PersistentVolumeClaim").contains(object.getKind());
            if (!keeps && !wanted.contains(Owned.name(object))) {
                client.resource(object).delete();
            }
        }
    }

    private void audit(StackSettings settings) {
        // Rows come with a checkpoint, of which the first is somewhere in its interval.
        Duration checkpoints =
                Values.duration(settings.text("checkpoint-interval")).multipliedBy(2);
        Duration bound = FIRST_ROW_BOUND
                .plus(settings.window())
                .plus(settings.outOfOrderness())
                .plus(checkpoints);
        out.println("  waiting for rows, and comparing them with what the generator sent");
        out.flush();
        ByteArrayOutputStream table = new ByteArrayOutputStream();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = stack.run(List.of("audit", "--wait", bound.toSeconds() + "s"), table, said);
        String text = table.toString(StandardCharsets.UTF_8);
        out.print(text);
        out.flush();
        AuditEnd.fault(code, text, said.toString(StandardCharsets.UTF_8)).ifPresent(fault -> {
            throw new EnvironmentException("the pods are ready, but " + fault + "; look: millrace audit "
                    + stack.arguments() + ", millrace logs " + stack.arguments());
        });
    }

    private void printWhere() {
        String forward =
                "kubectl --context " + cluster.context() + " --namespace " + stack.namespace() + " port-forward ";
        out.println();
        out.println("  namespace  " + stack.namespace());
        out.println("  generator  " + forward + "statefulset/generator 8090    then http://127.0.0.1:8090/state");
        out.println();
        out.println("  look       millrace status " + stack.arguments() + ", results, audit, logs");
        out.println("  stop       millrace down " + stack.arguments() + " (--data: its volumes too)");
        out.flush();
    }
}
