package dev.millrace.deploy.kubernetes;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.NamedCluster;
import dev.millrace.deploy.kubernetes.cluster.OwnedObjects;
import dev.millrace.deploy.kubernetes.production.Needs;
import dev.millrace.deploy.kubernetes.production.ProductionStopper;
import dev.millrace.deploy.local.Installation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Picocli mixin: which cluster a command works on, and which stack there. */
final class Place {
    @Mixin
    NamedCluster named;

    @Option(
            names = "--broker",
            paramLabel = "BROKER",
            description = "the stack of this broker (default: the only one there)")
    @Nullable
    String broker;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "the stack's namespace (default: millrace-BROKER)")
    @Nullable
    String namespace;

    Optional<String> broker() {
        return Optional.ofNullable(broker);
    }

    /** As {@link NamedCluster#connect}. */
    Cluster connect() {
        return named.connect();
    }

    /** The namespace of a broker's stack. */
    String namespace(String ofBroker) {
        return namespace == null || namespace.isEmpty() ? ClusterStack.usualNamespace(ofBroker) : namespace;
    }

    /**
     * The stack that is meant, also one of which only the volumes are left; of one that is half there without any, the broker
     * must be named. A broker's is looked for in other namespaces only when its usual one has nothing of it.
     */
    ClusterStack half(Cluster cluster) {
        if (broker == null) {
            List<ClusterStack> up = cluster.stacks();
            return only(cluster, up.stream().anyMatch(this::isMeant) ? up : cluster.stacksWithVolumes());
        }
        requireKnown(cluster, broker);
        ClusterStack usual = new ClusterStack(cluster, namespace(broker), broker);
        if (namespace != null || hasAnything(usual)) {
            return usual;
        }
        // Who may only see one namespace sees none elsewhere.
        List<ClusterStack> seen = either(Cluster.visible(cluster::stacks), Cluster.visible(cluster::stacksWithVolumes));
        return seen.stream().anyMatch(this::isMeant) ? only(cluster, seen) : usual;
    }

    /**
     * As {@link #half}, to take it down: one in another namespace is not taken for the broker's usual one, which may have been taken down by
     * the same command before, and where data go, one that is up is not taken for the one of which only the volumes are left.
     */
    ClusterStack toEnd(Cluster cluster, boolean data) {
        if (broker == null && data) {
            return only(cluster, either(cluster.stacks(), cluster.stacksWithVolumes()));
        }
        ClusterStack found = half(cluster);
        if (broker != null && !found.namespace().equals(namespace(broker))) {
            throw new UserException("nothing of " + broker + " is in namespace " + namespace(broker) + " on "
                    + cluster.context() + "; to take down the one in another namespace, name that: millrace down "
                    + found.arguments() + (data ? " --data" : ""));
        }
        return found;
    }

    private static List<ClusterStack> either(List<ClusterStack> up, List<ClusterStack> withVolumes) {
        return Stream.concat(up.stream(), withVolumes.stream()).distinct().toList();
    }

    /** What a {@code down} of it would find. */
    private static boolean hasAnything(ClusterStack stack) {
        return stack.size().isPresent()
                || Needs.find(Installation.here(), stack.broker())
                        .filter(needs -> ProductionStopper.isThere(stack, needs))
                        .isPresent()
                // Who may only look may see no Secrets.
                || !Cluster.visible(() -> OwnedObjects.of(stack)).isEmpty();
    }

    /** Whose plugin is gone may still have left something in its namespace. */
    private void requireKnown(Cluster cluster, String named) {
        Installation installation = Installation.here();
        // Asked first: who may only see one namespace may not ask for others.
        if (!installation.brokers().contains(named) && !cluster.hasNamespace(ClusterStack.usualNamespace(named))) {
            installation.requireKnown(
                    named,
                    either(cluster.stacks(), cluster.stacksWithVolumes()).stream()
                            .map(ClusterStack::broker)
                            .toList());
        }
    }

    /** The stack that is meant; none, or more than one, is a UserException that lists them. */
    ClusterStack stack(Cluster cluster) {
        return only(cluster, cluster.stacks());
    }

    private boolean isMeant(ClusterStack stack) {
        return (broker == null || stack.broker().equals(broker))
                && (namespace == null || stack.namespace().equals(namespace));
    }

    private ClusterStack only(Cluster cluster, List<ClusterStack> all) {
        List<ClusterStack> meant = all.stream().filter(this::isMeant).toList();
        String there = all.isEmpty()
                ? "; start one: millrace up --target kubernetes --context " + cluster.context() + " --broker BROKER"
                : "; there are: "
                        + String.join(
                                ", ",
                                all.stream()
                                        .map(stack -> stack.broker() + " in " + stack.namespace())
                                        .toList());
        if (meant.isEmpty()) {
            throw new UserException("no stack" + (broker == null ? "" : " of broker '" + broker + "'")
                    + (namespace == null ? "" : " in namespace " + namespace) + " is on " + cluster.context() + there);
        }
        if (meant.size() > 1) {
            throw new UserException("more than one stack is on " + cluster.context()
                    + "; say which with --broker or --namespace" + there);
        }
        return meant.get(0);
    }
}
