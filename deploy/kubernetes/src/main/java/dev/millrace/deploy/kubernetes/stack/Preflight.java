package dev.millrace.deploy.kubernetes.stack;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a cluster must allow and have before anything is made there; all that is wrong is said at once. Used by one thread. */
public final class Preflight {
    private static final BigDecimal GIB = BigDecimal.valueOf(1L << 30);
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    /** What the verbs do, by API group and resource. */
    private static final Map<String, List<String>> NEEDED = Map.of(
            "",
            List.of("configmaps", "secrets", "services", "serviceaccounts", "persistentvolumeclaims"),
            "apps",
            List.of("statefulsets", "deployments"),
            "batch",
            List.of("jobs"),
            "policy",
            List.of("poddisruptionbudgets"),
            "networking.k8s.io",
            List.of("networkpolicies"));

    private final KubernetesClient client;
    private final String context;

    public Preflight(Cluster cluster) {
        this.client = cluster.client();
        this.context = cluster.context();
    }

    /** Whether this person may make what a stack has. */
    public void rights(String namespace, boolean makesNamespace) {
        rights(namespace, makesNamespace, Map.of());
    }

    /** @param more kinds that only some stacks have, by API group and resource */
    public void rights(String namespace, boolean makesNamespace, Map<String, List<String>> more) {
        List<String> missing = new ArrayList<>();
        if (makesNamespace) {
            need("create", "", "namespaces", "", null, missing);
        }
        Stream.of(NEEDED, more)
                .forEach(kinds -> kinds.forEach((group, resources) ->
                        resources.forEach(resource -> List.of("get", "list", "create", "patch", "delete")
                                .forEach(verb -> need(verb, group, resource, "", namespace, missing)))));
        need("list", "", "pods", "", namespace, missing);
        need("delete", "", "pods", "", namespace, missing);
        need("get", "", "pods", "log", namespace, missing);
        need("create", "", "pods", "exec", namespace, missing);
        if (!missing.isEmpty()) {
            throw new EnvironmentException("on " + context + " you may not: " + String.join(", ", missing)
                    + (makesNamespace ? "" : " (in namespace " + namespace + ")")
                    + "; ask the cluster's owner for these rights");
        }
    }

    private void need(
            String verb,
            String group,
            String resource,
            String subresource,
            @org.jspecify.annotations.Nullable String namespace,
            List<String> missing) {
        SelfSubjectAccessReview review = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withVerb(verb)
                .withGroup(group)
                .withResource(resource)
                .withSubresource(subresource.isEmpty() ? null : subresource)
                .withNamespace(namespace)
                .endResourceAttributes()
                .endSpec()
                .build();
        boolean allowed = client.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(review)
                .getStatus()
                .getAllowed();
        if (!allowed) {
            missing.add(verb + " " + resource + (subresource.isEmpty() ? "" : "/" + subresource));
        }
    }

    /**
     * Whether one node has room for all of it, as this size wants, and the claims will find volumes.
     *
     * @param made objects that are new; those that are there have their room already
     */
    void room(List<GenericKubernetesResource> made) {
        BigDecimal cpu = BigDecimal.ZERO;
        BigDecimal memory = BigDecimal.ZERO;
        int claims = 0;
        for (GenericKubernetesResource object : made) {
            List<Map<String, Object>> containers = object.get("spec", "template", "spec", "containers");
            if (containers != null) {
                for (Map<String, Object> container : containers) {
                    cpu = cpu.add(requested(container, "cpu"));
                    memory = memory.add(requested(container, "memory"));
                }
            }
            List<Object> templates = object.get("spec", "volumeClaimTemplates");
            claims += templates == null ? 0 : templates.size();
            claims += object.getKind().equals("PersistentVolumeClaim") ? 1 : 0;
        }
        List<String> problems = new ArrayList<>();
        nodes(cpu, memory).ifPresent(problems::add);
        volumes(claims).ifPresent(problems::add);
        if (!problems.isEmpty()) {
            throw new EnvironmentException("on " + context + " " + String.join("; and ", problems));
        }
    }

    @SuppressWarnings("unchecked")
    private static BigDecimal requested(Map<String, Object> container, String resource) {
        Object resources = container.get("resources");
        Object requests = resources instanceof Map<?, ?> map ? map.get("requests") : null;
        Object value = requests instanceof Map<?, ?> map ? ((Map<String, Object>) map).get(resource) : null;
        return value == null ? BigDecimal.ZERO : Quantity.getAmountInBytes(Quantity.parse(value.toString()));
    }

    private Optional<String> nodes(BigDecimal cpu, BigDecimal memory) {
        if (memory.signum() == 0) {
            return Optional.empty();
        }
        List<Pod> pods = client.pods().inAnyNamespace().list().getItems();
        List<String> seen = new ArrayList<>();
        for (Node node : client.nodes().list().getItems()) {
            boolean closed = Boolean.TRUE.equals(node.getSpec().getUnschedulable());
            BigDecimal freeCpu = allocatable(node, "cpu").subtract(used(pods, node, "cpu"));
            BigDecimal freeMemory = allocatable(node, "memory").subtract(used(pods, node, "memory"));
            if (!closed && freeCpu.compareTo(cpu) >= 0 && freeMemory.compareTo(memory) >= 0) {
                return Optional.empty();
            }
            seen.add(String.format(
                    Locale.ROOT,
                    "%s has %.1f cores and %.1f GiB%s",
                    node.getMetadata().getName(),
                    freeCpu,
                    freeMemory.divide(GIB),
                    closed ? " and takes no pods" : ""));
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "no node has room for the pods, which request %.1f cores and %.1f GiB in all: %s",
                cpu,
                memory.divide(GIB),
                seen.isEmpty() ? "there is no node" : String.join(", ", seen)));
    }

    public static BigDecimal allocatable(Node node, String resource) {
        Quantity quantity = node.getStatus().getAllocatable() == null
                ? null
                : node.getStatus().getAllocatable().get(resource);
        return quantity == null ? BigDecimal.ZERO : Quantity.getAmountInBytes(quantity);
    }

    public static BigDecimal used(List<Pod> pods, Node node, String resource) {
        return pods.stream()
                .filter(pod -> node.getMetadata().getName().equals(pod.getSpec().getNodeName()))
                .filter(pod ->
                        !List.of("Succeeded", "Failed").contains(pod.getStatus().getPhase()))
                .flatMap(pod -> pod.getSpec().getContainers().stream())
                .map(container -> container.getResources() == null
                                || container.getResources().getRequests() == null
                        ? null
                        : container.getResources().getRequests().get(resource))
                .filter(quantity -> quantity != null)
                .map(Quantity::getAmountInBytes)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private Optional<String> volumes(int claims) {
        var byDefault = client.storage().v1().storageClasses().list().getItems().stream()
                .filter(one -> one.getMetadata().getAnnotations() != null
                        && "true".equals(one.getMetadata().getAnnotations().get(DEFAULT_CLASS)))
                .findFirst();
        if (claims == 0) {
            return Optional.empty();
        }
        if (byDefault.isEmpty()) {
            return Optional.of("there is no default StorageClass, and the stack's " + claims
                    + " claims name none; mark one with the annotation " + DEFAULT_CLASS + "=true");
        }
        boolean makesThem = !byDefault.get().getProvisioner().equals("kubernetes.io/no-provisioner");
        String name = byDefault.get().getMetadata().getName();
        List<PersistentVolume> free = makesThem
                ? List.of()
                : client.persistentVolumes().list().getItems().stream()
                        .filter(volume -> name.equals(volume.getSpec().getStorageClassName())
                                && "Available".equals(volume.getStatus().getPhase()))
                        .toList();
        return makesThem || free.size() >= claims
                ? Optional.empty()
                : Optional.of("the default StorageClass " + name + " makes no volumes, and of the " + claims
                        + " that the stack needs " + free.size() + " are free");
    }
}
