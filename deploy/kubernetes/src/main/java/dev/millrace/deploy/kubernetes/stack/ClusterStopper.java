package dev.millrace.deploy.kubernetes.stack;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.NamespaceContent;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import dev.millrace.deploy.kubernetes.cluster.OwnedObjects;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Takes a stack down on its cluster: only what a deploy of ours made. Used by one thread. */
public final class ClusterStopper {
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int OTHERS_SHOWN = 5;

    private final ClusterStack stack;
    private final KubernetesClient client;

    public ClusterStopper(ClusterStack stack) {
        this.stack = stack;
        this.client = stack.cluster().client();
    }

    /**
     * Removes its objects and waits until they are gone.
     *
     * @param data its volumes too, its Secrets, and the settings that its data were made with
     * @return how many were removed
     */
    public int down(boolean data) {
        List<HasMetadata> removed = new ArrayList<>();
        String settings = stack.settingsMap().map(Owned::name).orElse("");
        for (HasMetadata object : OwnedObjects.of(stack)) {
            boolean keeps = List.of("PersistentVolumeClaim", "Secret").contains(object.getKind())
                    || Owned.name(object).equals(settings);
            if (data || !keeps) {
                client.resource(object)
                        .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                        .delete();
                removed.add(object);
            }
        }
        awaitGone(removed, true);
        return removed.size();
    }

    /** @param podsToo all of the stack's, whatever they came from */
    public void awaitGone(List<? extends HasMetadata> removed, boolean podsToo) {
        awaitGone(removed, podsToo ? stack::pods : List::of);
    }

    /** @param others asked for again and again: what replaces one of them meanwhile has to go, too */
    public void awaitGone(List<? extends HasMetadata> removed, Supplier<List<Pod>> others) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        List<HasMetadata> left = List.copyOf(removed);
        List<String> pods = List.of();
        while (System.nanoTime() < deadline) {
            left = left.stream()
                    .filter(object -> client.resource(object).get() != null)
                    .toList();
            pods = others.get().stream().map(Owned::name).toList();
            if (left.isEmpty() && pods.isEmpty()) {
                return;
            }
            LockSupport.parkNanos(LOOK.toNanos());
            if (Thread.interrupted()) {
                throw new EnvironmentException("interrupted; the rest goes by itself");
            }
        }
        List<String> names = new ArrayList<>(left.stream().map(Owned::name).toList());
        names.addAll(pods);
        throw new EnvironmentException("not gone within " + BOUND.toSeconds() + " s: " + String.join(", ", names)
                + "; a finalizer, or a node that does not answer, holds them");
    }

    /** One that this tool made, and in which nobody else has put anything; what became of it, in a sentence. */
    public Optional<String> removeNamespace() {
        Namespace namespace = client.namespaces().withName(stack.namespace()).get();
        if (namespace == null || !Owned.is(namespace, stack.broker())) {
            return Optional.empty();
        }
        List<String> others = NamespaceContent.others(client, stack.namespace())
                .limit(OTHERS_SHOWN)
                .toList();
        if (!others.isEmpty()) {
            return Optional.of("The namespace stays, for others keep things in it: " + String.join(", ", others)
                    + (others.size() == OTHERS_SHOWN ? ", ..." : "") + ".");
        }
        client.resource(namespace).delete();
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (client.namespaces().withName(stack.namespace()).get() != null) {
            if (System.nanoTime() > deadline) {
                throw new EnvironmentException(
                        "the namespace is not gone within " + BOUND.toSeconds() + " s; a finalizer holds it");
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
        return Optional.of("The namespace is gone.");
    }
}
