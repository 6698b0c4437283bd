package dev.millrace.perf.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;

/** What the pods of a stack may have together. */
final class Limits {
    private Limits() {}

    /** The sum of all containers' limits, bytes, page cache included; containers that only prepare are none of it. */
    static long memoryBytes(List<GenericKubernetesResource> objects) {
        return objects.stream().mapToLong(Limits::memoryBytes).sum();
    }

    private static long memoryBytes(GenericKubernetesResource object) {
        List<Map<String, Object>> containers = object.get("spec", "template", "spec", "containers");
        if (containers == null) {
            return 0;
        }
        Integer replicas = object.get("spec", "replicas");
        return (replicas == null ? 1 : replicas)
                * containers.stream().mapToLong(Limits::limit).sum();
    }

    private static long limit(Map<String, Object> container) {
        Object resources = container.get("resources");
        Object limits = resources instanceof Map<?, ?> map ? map.get("limits") : null;
        Object memory = limits instanceof Map<?, ?> map ? map.get("memory") : null;
        if (memory == null) {
            throw new IllegalStateException("container " + container.get("name") + " has no limit of its memory");
        }
        return Quantity.getAmountInBytes(Quantity.parse(memory.toString())).longValueExact();
    }
}
