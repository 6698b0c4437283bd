package dev.millrace.deploy.kubernetes.production;

import dev.millrace.core.settings.EnvironmentException;
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
    private final PrintWriter out;
    private final KubernetesClient client;
    private final ClusterStopper stopper;
    private int removed;

    public ProductionStopper(ClusterStack stack, Needs needs, PrintWriter out) {
        this.stack = stack;
        this.needs = needs;
        this.out = out;
        this.client = stack.cluster().client();
        this.stopper = new ClusterStopper(stack);
    }

    /** Whether there is anything of such a stack, if only what a {@code down} without {@code --data} left. */
    public static boolean isThere(ClusterStack stack, Needs needs) {
        return stack.isProduction()
                || Stages.objects(stack, needs).values().stream().anyMatch(objects -> !objects.isEmpty());
    }

    /** @return how many objects were removed */
    public int down(boolean data) {
        List<String> stay = new ArrayList<>();
        for (int i = Needs.STAGES.size() - 1; i > 0; i--) {
            stage(Needs.STAGES.get(i), data, stay);
        }
        List<HasMetadata> rest = new ArrayList<>(OwnedObjects.of(stack));
        rest.addAll(OwnedObjects.roles(stack));
        delete(
                rest.stream()
                        .filter(object -> data
                                || !List.of("PersistentVolumeClaim", "Secret").contains(object.getKind()))
                        .toList(),
                true);
        if (data) {
            claims();
            needs.left().stream()
                    .map(command -> command.replace("{namespace}", stack.namespace()))
                    .forEach(command -> out.println("  yours to remove, for up did not make it: " + command));
        } else if (!stay.isEmpty()) {
            out.println("  " + String.join(", ", stay) + " stay, for data go with them: down --data removes them");
        }
        out.flush();
        return removed;
    }

    private void stage(String stage, boolean data, List<String> stay) {
        Stages.objects(stack, needs).forEach((kind, objects) -> {
            if (!stage.equals(kind.stage())) {
                return;
            }
            if (data || !kind.data()) {
                delete(objects, false);
            } else if (kind.kind().equals(FlinkJob.KIND)) {
                objects.forEach(job -> suspend(kind, job));
            }
            if (!data && kind.data()) {
                objects.forEach(object -> stay.add(Owned.name(object)));
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
                false);
    }

    private void delete(List<? extends HasMetadata> objects, boolean podsToo) {
        for (HasMetadata object : objects) {
            client.resource(object)
                    .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                    .delete();
        }
        removed += objects.size();
        stopper.awaitGone(objects, podsToo);
    }

    /** The job ends with a savepoint, which its object remembers: the next up goes on from it. */
    private void suspend(Needs.Definition kind, GenericKubernetesResource job) {
        if (!"suspended".equals(Fields.text(job, "spec.job.state"))) {
            LiveEdit.apply(client, job, copy -> Fields.set(copy, "spec.job.state", "suspended"));
        }
        out.println("  " + Owned.name(job) + " is told to stop with a savepoint");
        out.flush();
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
        List<String> unknown = new ArrayList<>();
        for (String selector : needs.left().isEmpty() ? needs.selectors() : List.<String>of()) {
            List<PersistentVolumeClaim> claims = client.persistentVolumeClaims()
                    .inNamespace(stack.namespace())
                    .withLabelSelector(selector)
                    .list()
                    .getItems();
            List<PersistentVolumeClaim> ours =
                    claims.stream().filter(this::isOfStack).toList();
            delete(ours, false);
            claims.stream().filter(claim -> !isOfStack(claim)).forEach(claim -> unknown.add(Owned.name(claim)));
        }
        if (!unknown.isEmpty()) {
            out.println("  left alone, for they do not say whose they are: " + String.join(", ", unknown));
        }
    }

    private boolean isOfStack(PersistentVolumeClaim claim) {
        Map<String, String> labels = claim.getMetadata().getLabels();
        return labels != null && stack.broker().equals(labels.get(Owned.STACK));
    }
}
