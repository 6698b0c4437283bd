package dev.millrace.perf.kubernetes;

import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.local.StackState;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which node each part of a stack is on: what the first stack got is what all others must have. Used by one thread. */
final class Placement {
    private static final String NAME = "app.kubernetes.io/name";

    private final Map<String, String> nodes = new TreeMap<>();

    /** The node that a workload of a stack must be on; empty until there was a stack. */
    Optional<String> of(ClusterStack stack, String workload) {
        return Optional.ofNullable(nodes.get(part(stack, workload)));
    }

    /** Notes where the pods of a stack are, if this is the first one, and gives it. */
    Map<String, String> see(ClusterStack stack) {
        Map<String, String> seen = new TreeMap<>();
        for (Pod pod : stack.pods()) {
            String node = pod.getSpec().getNodeName();
            if (node != null) {
                seen.put(part(stack, pod.getMetadata().getLabels().getOrDefault(NAME, "")), node);
            }
        }
        if (nodes.isEmpty()) {
            nodes.putAll(seen);
        }
        return seen;
    }

    /** What ran where, as the first stack had it: part to node; empty before it. */
    Map<String, String> nodes() {
        return Collections.unmodifiableMap(nodes);
    }

    /** Brokers are named alike: they stand in each other's place. */
    private static String part(ClusterStack stack, String workload) {
        return workload.equals(stack.broker()) ? StackState.BROKER : workload;
    }
}
