package dev.millrace.deploy.kubernetes.stack;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.look.Table;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/**
 * What {@code status} shows of a stack of plain pods.
 *
 * @param figures what the verb said in the pod that knows them; empty while that does not run
 */
public record StackStatus(ClusterStack stack, List<Pod> pods, String figures) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public String text() {
        String above = figures.isEmpty()
                ? "broker    " + stack.broker() + "\nstate     recovering: the pod that knows its figures does not run"
                : withoutProcesses(figures);
        Table table = new Table("pod", "state", "restarts", "node");
        pods.forEach(pod -> table.row(
                pod.getMetadata().getName(),
                state(pod),
                restarts(pod),
                pod.getSpec().getNodeName() == null ? "-" : pod.getSpec().getNodeName()));
        return above + "\nnamespace " + stack.namespace() + " on "
                + stack.cluster().context() + "\n"
                + Credentials.warning(Credentials.until(pods.stream()), Instant.now(), stack)
                        .map(warning -> "warning   " + warning + "\n")
                        .orElse("")
                + "\n" + table;
    }

    /** They have pids on one machine only. */
    public static String withoutProcesses(String figures) {
        return figures.replaceFirst("(?s)\\n\\nprocess .*", "");
    }

    public String json() {
        ObjectNode root = figures.isEmpty()
                ? JsonNodeFactory.instance
                        .objectNode()
                        .put("broker", stack.broker())
                        .put("state", "recovering")
                : parsed(figures);
        root.put("namespace", stack.namespace());
        root.put(
                "certificatesUntil",
                Credentials.until(pods.stream()).map(Instant::toString).orElse(null));
        ArrayNode list = root.putArray("pods");
        for (Pod pod : pods) {
            list.addObject()
                    .put("name", pod.getMetadata().getName())
                    .put("state", state(pod))
                    .put("restarts", restarts(pod))
                    .put("node", pod.getSpec().getNodeName());
        }
        return root.toString();
    }

    public static ObjectNode parsed(String figures) {
        try {
            return (ObjectNode) JSON.readTree(figures);
        } catch (IOException e) {
            throw new EnvironmentException("what the pod said is no JSON: " + figures, e);
        }
    }

    public static String state(Pod pod) {
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return "ending";
        }
        boolean ready = !pod.getStatus().getContainerStatuses().isEmpty()
                && pod.getStatus().getContainerStatuses().stream().allMatch(ContainerStatus::getReady);
        if (ready) {
            return "ready";
        }
        return pod.getStatus().getContainerStatuses().stream()
                .map(status -> status.getState().getWaiting())
                .filter(waiting -> waiting != null && waiting.getReason() != null)
                .map(waiting -> waiting.getReason().equals("PodInitializing") ? "starting" : waiting.getReason())
                .findFirst()
                .orElse(pod.getSpec().getNodeName() == null ? "without a node" : "starting");
    }

    public static int restarts(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream()
                .mapToInt(ContainerStatus::getRestartCount)
                .sum();
    }
}
