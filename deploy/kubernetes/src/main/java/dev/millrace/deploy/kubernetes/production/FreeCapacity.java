package dev.millrace.deploy.kubernetes.production;

import dev.millrace.deploy.kubernetes.stack.Preflight;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What the nodes of each group have left for pods, by requests; whoever is placed takes some of it. Used by one thread. */
final class FreeCapacity {
    private static final BigDecimal GIB = BigDecimal.valueOf(1L << 30);

    private final Map<String, BigDecimal> freeCpu = new HashMap<>();
    private final Map<String, BigDecimal> freeMemory = new HashMap<>();
    private final Map<String, List<Node>> byRole = new TreeMap<>();

    FreeCapacity(List<Node> nodes, List<Pod> pods) {
        for (Node node : nodes) {
            String name = node.getMetadata().getName();
            freeCpu.put(name, Preflight.allocatable(node, "cpu").subtract(Preflight.used(pods, node, "cpu")));
            freeMemory.put(name, Preflight.allocatable(node, "memory").subtract(Preflight.used(pods, node, "memory")));
            if (!Boolean.TRUE.equals(node.getSpec().getUnschedulable()) && isReady(node)) {
                String role = node.getMetadata().getLabels().getOrDefault(NodeRoom.ROLE, "");
                byRole.computeIfAbsent(role, key -> new ArrayList<>()).add(node);
            }
        }
    }

    /** One that does not say is taken for ready. */
    private static boolean isReady(Node node) {
        return node.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .allMatch(condition -> condition.getStatus().equals("True"));
    }

    static FreeCapacity of(KubernetesClient client) {
        List<Node> nodes = client.nodes().list().getItems();
        List<Pod> pods = client.pods().inAnyNamespace().list().getItems();
        return new FreeCapacity(nodes, pods);
    }

    /** Those of a group that take pods at all; of no group all that do. */
    List<Node> nodes(String role) {
        return role.isEmpty()
                ? byRole.values().stream().flatMap(List::stream).toList()
                : byRole.getOrDefault(role, List.of());
    }

    /** A sentence when there is not enough for these pods, of which two never share a node. */
    Optional<String> place(NodeRoom.Wanted one) {
        int kept = Math.min(one.count(), one.there());
        boolean grows = one.moreCpu().signum() > 0 || one.moreMemory().signum() > 0;
        if (kept == one.count() && !grows) {
            return Optional.empty();
        }
        List<Node> nodes = nodes(one.role());
        Set<String> taken = new HashSet<>();
        // New pods first: what one grows by that is there fits in where a whole one does not.
        take(nodes, one.count() - kept, one.cpu(), one.memory(), taken);
        take(nodes, kept, one.moreCpu(), one.moreMemory(), taken);
        if (taken.size() == one.count()) {
            return Optional.empty();
        }
        boolean isNew = one.before().isEmpty();
        String now = isNew ? "" : ", now " + one.there() + ",";
        String group = one.role().isEmpty() ? "" : " with the label " + NodeRoom.ROLE + "=" + one.role();
        return Optional.of(String.format(
                Locale.ROOT,
                "%s: %d pods%s want a node each%s with %.1f cores and %.0f GiB %s, and of %d such nodes %d have that",
                one.name(),
                one.count(),
                now,
                group,
                one.cpu(),
                one.memory().divide(GIB),
                isNew ? "free" : "free or theirs already",
                nodes.size(),
                taken.size()));
    }

    private void take(List<Node> nodes, int pods, BigDecimal cpu, BigDecimal memory, Set<String> taken) {
        for (int i = 0; i < pods; i++) {
            nodes.stream()
                    .map(node -> node.getMetadata().getName())
                    .filter(node -> !taken.contains(node)
                            && freeCpu.get(node).compareTo(cpu) >= 0
                            && freeMemory.get(node).compareTo(memory) >= 0)
                    .findFirst()
                    .ifPresent(node -> {
                        taken.add(node);
                        freeCpu.merge(node, cpu, BigDecimal::subtract);
                        freeMemory.merge(node, memory, BigDecimal::subtract);
                    });
        }
    }
}
