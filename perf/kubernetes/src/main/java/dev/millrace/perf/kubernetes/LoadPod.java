package dev.millrace.perf.kubernetes;

import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.dsl.Loggable;
import java.util.Optional;
import java.util.function.Function;

/** The pod of a stack in which it is measured. Thread-safe. */
final class LoadPod {
    private final ClusterStack stack;

    LoadPod(ClusterStack stack) {
        this.stack = stack;
    }

    /** Whether somebody measures in it now, or will soon. */
    boolean isMeasuring() {
        return stack.pods().stream()
                .filter(LoadPod::measures)
                .anyMatch(pod -> pod.getMetadata().getDeletionTimestamp() == null
                        && ended(pod).isEmpty());
    }

    boolean isThere() {
        return pod().isPresent();
    }

    /** How the container that measures ended, or why it never began; empty before. */
    Optional<String> ended() {
        return pod().flatMap(LoadPod::ended);
    }

    private static Optional<String> ended(Pod pod) {
        if ("Failed".equals(pod.getStatus().getPhase()) && !hasBegun(pod)) {
            return Optional.of("before it began: " + pod.getStatus().getReason());
        }
        return pod.getStatus().getContainerStatuses().stream()
                .filter(status -> status.getName().equals(LoadObjects.RIG))
                .map(ContainerStatus::getState)
                .filter(state -> state != null && state.getTerminated() != null)
                .map(state -> "with exit code " + state.getTerminated().getExitCode())
                .findFirst();
    }

    private static boolean hasBegun(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream()
                .filter(status -> status.getName().equals(LoadObjects.RIG))
                .anyMatch(
                        status -> status.getState() != null && status.getState().getWaiting() == null);
    }

    /** All that it said; empty before it began. */
    String log() {
        return log(Loggable::getLog);
    }

    /** Its newest lines, so many. */
    String log(int lines) {
        return log(container -> container.tailingLines(lines).getLog());
    }

    private String log(Function<ContainerResource, String> asked) {
        return pod().filter(LoadPod::hasBegun)
                .map(pod -> asked.apply(stack.cluster()
                        .client()
                        .pods()
                        .inNamespace(stack.namespace())
                        .withName(pod.getMetadata().getName())
                        .inContainer(LoadObjects.RIG)))
                .orElse("");
    }

    private Optional<Pod> pod() {
        return stack.pods().stream().filter(LoadPod::measures).findFirst();
    }

    private static boolean measures(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .anyMatch(container -> container.getName().equals(LoadObjects.RIG));
    }
}
