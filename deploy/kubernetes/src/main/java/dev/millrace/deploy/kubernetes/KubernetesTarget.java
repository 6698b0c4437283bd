package dev.millrace.deploy.kubernetes;

import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Target;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.image.ImagesCommand;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Optional;

/** {@code --target kubernetes}: the verbs of this machine, on a cluster. */
public final class KubernetesTarget implements Target {

    @Override
    public String name() {
        return "kubernetes";
    }

    @Override
    public Optional<String> sentence(Exception failure) {
        return failure instanceof KubernetesClientException said
                ? Optional.of("the cluster does not do what it was asked for: " + Cluster.said(said)
                        + "; the same command again goes on from there")
                : Optional.empty();
    }

    @Override
    public List<Command> commands() {
        return List.of(
                new UpVerb(),
                new DownVerb(),
                new StatusVerb(),
                new ScaleVerb(),
                new LogsVerb(),
                new ImagesCommand(),
                new PodVerb("audit", "Compare every settled row in the store with what the generator knows it sent."),
                new PodVerb("results", "Show windows, or latest times, from the store, the newest first."),
                new PodVerb("dead-letters", "Show payloads that are in no window, with the reason."),
                new PodVerb("generator", "Steer the generator: pause, resume, rate."));
    }
}
