package dev.millrace.deploy.kubernetes;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Millrace;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
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
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int OTHERS_SHOWN = 5;

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
            List<HasMetadata> removed = new ArrayList<>();
            for (HasMetadata object : OwnedObjects.of(stack)) {
                boolean keeps = List.of("PersistentVolumeClaim", "Secret").contains(object.getKind());
                if (data || !keeps) {
                    cluster.client()
                            .resource(object)
                            .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                            .delete();
                    removed.add(object);
                }
            }
            awaitGone(cluster.client(), stack, removed);
            int claims = OwnedObjects.claims(stack).size();
            out.println(
                    removed.isEmpty()
                            ? "There is no stack of " + stack.broker() + " in namespace " + stack.namespace() + " on "
                                    + cluster.context() + "; nothing to do."
                            : "The stack of " + stack.broker() + " is down: " + removed.size()
                                    + " objects removed from namespace " + stack.namespace() + " on "
                                    + cluster.context() + "."
                                    + (claims > 0
                                            ? " Its " + claims
                                                    + " volumes and their Secrets stay: up goes on from them,"
                                                    + " down --data deletes them."
                                            : ""));
            if (data) {
                removeNamespace(cluster.client(), stack).ifPresent(out::println);
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

    private static void awaitGone(KubernetesClient client, ClusterStack stack, List<HasMetadata> removed) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        List<HasMetadata> left = removed;
        List<String> pods = List.of();
        while (System.nanoTime() < deadline) {
            left = left.stream()
                    .filter(object -> client.resource(object).get() != null)
                    .toList();
            pods = stack.pods().stream().map(Owned::name).toList();
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
    private static Optional<String> removeNamespace(KubernetesClient client, ClusterStack stack) {
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
