package dev.millrace.deploy.kubernetes;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Picocli mixin: which cluster a command works on, and which stack there. */
public final class Place {
    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "the cluster, by its context in the kubeconfig; the current one is never taken silently")
    @Nullable
    String context;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "the kubeconfig (default: as kubectl finds it)")
    @Nullable
    Path kubeconfig;

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

    /** A connection to the named cluster; no context, and one that is not there, are one sentence with those that are. */
    public Cluster connect() {
        Kubectl kubectl = new Kubectl(Optional.ofNullable(kubeconfig));
        List<String> contexts = kubectl.contexts();
        String known = contexts.isEmpty() ? "the kubeconfig has none" : "there are: " + String.join(", ", contexts);
        String named = context;
        if (named == null || named.isEmpty()) {
            throw new UserException("say which cluster: --context NAME (with Maven -Dmillrace.context=NAME); " + known);
        }
        if (!contexts.contains(named)) {
            throw new UserException("there is no context '" + named + "'"
                    + Suggestion.nearest(named, contexts)
                            .map(near -> "; did you mean '" + near + "'?")
                            .orElse("")
                    + "; " + known);
        }
        return Cluster.connect(named, kubectl);
    }

    /** The namespace of a broker's stack. */
    String namespace(String ofBroker) {
        return namespace == null || namespace.isEmpty() ? "millrace-" + ofBroker : namespace;
    }

    /** The stack that is meant; none, or more than one, is a UserException that lists them. */
    ClusterStack stack(Cluster cluster) {
        List<ClusterStack> all = cluster.stacks();
        List<ClusterStack> meant = all.stream()
                .filter(stack -> broker == null || stack.broker().equals(broker))
                .filter(stack -> namespace == null || stack.namespace().equals(namespace))
                .toList();
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
