package dev.millrace.deploy.kubernetes.production;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.kubernetes.cluster.LiveEdit;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import dev.millrace.deploy.kubernetes.cluster.OwnedObjects;
import dev.millrace.deploy.kubernetes.stack.ClusterStopper;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes a stack of the production shape down, in the opposite order of {@code up}: operators have to be there while their objects go. Objects that data are
 * bound to stay until {@code --data}, as volumes do. Used by one thread.
 */
public final class ProductionStopper {
    private static final Duration SUSPEND_BOUND = Duration.ofMinutes(5);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final ClusterStack stack;
    private final Needs needs;
    private final MadeObjects made;
    private final PrintWriter out;
    private final KubernetesClient client;
    private final ClusterStopper stopper;
    private final List<String> stay = new ArrayList<>();
    private int removed;

    public ProductionStopper(ClusterStack stack, Needs needs, PrintWriter out) {
        this.stack = stack;
        this.needs = needs;
        this.made = new MadeObjects(stack, needs);
        this.out = out;
        this.client = stack.cluster().client();
        this.stopper = new ClusterStopper(stack);
    }

    /**
     * Whether there is anything of such a stack, if only what a {@code down} without {@code --data} left, or one with it that broke off.
     */
    public static boolean isThere(ClusterStack stack, Needs needs) {
        Optional<String> size = stack.size();
        return size.filter(ClusterStack.PRODUCTION::equals).isPresent()
                || Stages.objects(stack, needs).values().stream().anyMatch(objects -> !objects.isEmpty())
                // Beside a stack of another size these are what an earlier one left, and that stack is taken down as
                // what it is.
                || size.isEmpty() && (!volumes(stack, needs).isEmpty() || hasRoles(stack));
    }

    /** Claims that only this shape has: those with its size on them, and those that operators made of its objects. */
    private static List<HasMetadata> volumes(ClusterStack stack, Needs needs) {
        List<HasMetadata> all = new ArrayList<>(OwnedObjects.claims(stack).stream()
                .filter(claim -> ClusterStack.PRODUCTION.equals(
                        claim.getMetadata().getLabels().get(ClusterStack.SIZE_LABEL)))
                .toList());
        MadeObjects made = new MadeObjects(stack, needs);
        all.addAll(made.claims().stream().filter(made::isOf).toList());
        return all;
    }

    /** Who may only look at a namespace may see no roles in it, and is to see all else; whoever takes a stack down may. */
    private static boolean hasRoles(ClusterStack stack) {
        return !Cluster.visible(() -> OwnedObjects.roles(stack)).isEmpty();
    }

    /** @return how many objects were removed */
    public int down(boolean data) {
        if (data) {
            // First: once what they were made of is gone nothing tells whose they are.
            delete(made.leftBehind(), DeletionPropagation.BACKGROUND, false);
        }
        for (int i = Needs.STAGES.size() - 1; i > 0; i--) {
            stage(Needs.STAGES.get(i), data);
        }
        List<HasMetadata> rest = new ArrayList<>(OwnedObjects.of(stack));
        rest.addAll(OwnedObjects.roles(stack));
        rest.addAll(OwnedObjects.monitoring(stack));
        delete(
                rest.stream()
                        .filter(object -> data
                                || !List.of("PersistentVolumeClaim", "Secret").contains(object.getKind()))
                        .toList(),
                DeletionPropagation.FOREGROUND,
                true);
        if (data) {
            // Their objects are gone, and what operators made of these goes after them: until then it holds the claims.
            stopper.awaitGone(List.of(), made::pods);
            claims();
            needs.left().stream()
                    .map(command -> command.replace("{namespace}", stack.namespace()))
                    .forEach(command -> out.println("  yours to remove, for up did not make it: " + command));
        } else if (!stay.isEmpty()) {
            out.println(
                    "  " + String.join(", ", stay) + " stay, for data go with them; this removes them: millrace down "
                            + stack.arguments() + " --data");
        }
        out.flush();
        return removed;
    }

    /** What {@link #down} left of operators' objects, by kind and name, for data are bound to them. */
    public List<String> stay() {
        return List.copyOf(stay);
    }

    /** How many claims of the stack are there, its own and those that operators made for it. */
    public int claimsLeft() {
        return OwnedObjects.claims(stack).size()
                + (int) made.claims().stream().filter(made::isOf).count();
    }

    private void stage(String stage, boolean data) {
        List<Map.Entry<Needs.Definition, List<GenericKubernetesResource>>> kinds =
                new ArrayList<>(Stages.objects(stack, needs).entrySet());
        // Within a stage, too: what stands first is what the others belong to.
        Collections.reverse(kinds);
        kinds.stream().filter(one -> stage.equals(one.getKey().stage())).forEach(one -> {
            Needs.Definition kind = one.getKey();
            if (data || !kind.data()) {
                // Not in the foreground: then an object stays until its dependents are gone, and its operator makes
                // them again.
                delete(one.getValue(), DeletionPropagation.BACKGROUND, false);
            } else {
                if (kind.kind().equals(FlinkJob.KIND)) {
                    one.getValue().forEach(job -> suspend(kind, job));
                }
                one.getValue().forEach(object -> stay.add(Owned.name(object)));
            }
        });
        delete(
                needs.workloads().stream()
                        .filter(one -> one.stage().equals(stage))
                        .flatMap(one -> one.names().stream())
                        .map(name -> client.apps()
                                .statefulSets()
                                .inNamespace(stack.namespace())
                                .withName(name)
                                .get())
                        .filter(set -> set != null && Owned.is(set, stack.broker()))
                        .toList(),
                DeletionPropagation.FOREGROUND,
                false);
    }

    private void delete(List<? extends HasMetadata> objects, DeletionPropagation manner, boolean podsToo) {
        for (HasMetadata object : objects) {
            client.resource(object).withPropagationPolicy(manner).delete();
        }
        removed += objects.size();
        stopper.awaitGone(objects, podsToo);
    }

    /** The job ends with a savepoint, which its object remembers: the next up goes on from it. */
    private void suspend(Needs.Definition kind, GenericKubernetesResource job) {
        if (!"suspended".equals(Fields.text(job, "spec.job.state"))) {
            LiveEdit.apply(client, job, copy -> Fields.set(copy, "spec.job.state", "suspended"));
            out.println("  " + Owned.name(job) + " is told to stop with a savepoint");
            out.flush();
        }
        long deadline = System.nanoTime() + SUSPEND_BOUND.toNanos();
        String state = "";
        while (System.nanoTime() < deadline) {
            Optional<GenericKubernetesResource> live =
                    Optional.ofNullable(client.genericKubernetesResources(kind.context())
                            .inNamespace(stack.namespace())
                            .withName(job.getMetadata().getName())
                            .get());
            state = live.map(one -> Fields.text(one, "status.lifecycleState") + " " + Fields.text(one, "status.error"))
                    .orElse("SUSPENDED");
            if (state.startsWith("SUSPENDED")) {
                return;
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
        throw new EnvironmentException(Owned.name(job) + " has not stopped with a savepoint within "
                + SUSPEND_BOUND.toMinutes() + " minutes (" + state.strip()
                + "); see why: millrace status " + stack.arguments()
                + "; or without a savepoint, with all data: millrace down " + stack.arguments() + " --data");
    }

    /** Those that an operator made of our objects, and that say so by our label; others are only told of. */
    private void claims() {
        List<PersistentVolumeClaim> claims = made.claims();
        delete(claims.stream().filter(made::isOf).toList(), DeletionPropagation.FOREGROUND, false);
        List<String> unknown = claims.stream()
                .filter(claim -> !made.isOf(claim))
                .map(Owned::name)
                .toList();
        if (!unknown.isEmpty()) {
            out.println("  left alone, for they do not say whose they are: " + String.join(", ", unknown));
        }
    }
}
