package dev.millrace.deploy.kubernetes.cluster;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Picocli mixin: which cluster a command works on. */
public final class NamedCluster {
    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "the cluster, by its context in the kubeconfig; the current one is never taken silently")
    @Nullable
    String context;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "the kubeconfig (default: as kubectl finds it)")
    @Nullable
    Path kubeconfig;

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
            throw new UserException(
                    "there is no context '" + named + "'" + Suggestion.didYouMean(named, contexts) + "; " + known);
        }
        return Cluster.connect(named, kubectl);
    }
}
