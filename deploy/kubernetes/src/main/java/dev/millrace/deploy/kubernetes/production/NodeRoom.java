package dev.millrace.deploy.kubernetes.production;

import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.kubernetes.cluster.ObjectPlan;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether groups of nodes, told by the label {@code millrace/role}, have room and disks for pods that are asked for: by requests, largest first,
 * and never two of a kind on one node. Used by one thread.
 */
final class NodeRoom {
    static final String ROLE = "millrace/role";
    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

    /**
     * Pods of one kind.
     *
     * @param role the group of nodes; empty means any
     * @param claims storage classes and sizes, a volume of each for every pod
     * @param before what the same object has on the cluster, whose pods have their room; empty for what is new
     */
    record Wanted(
            String name,
            int count,
            String role,
            BigDecimal cpu,
            BigDecimal memory,
            List<Claim> claims,
            Optional<Wanted> before) {

        /** What is in another group of nodes gives no room in this one. */
        Wanted after(Wanted live) {
            Optional<Wanted> same = Optional.of(live).filter(one -> one.role.equals(role));
            return new Wanted(name, count, role, cpu, memory, claims, same);
        }

        /** How many pods are there. */
        int there() {
            return before.map(Wanted::count).orElse(0);
        }

        /** What a pod that is there asks for beyond what it has. */
        BigDecimal moreCpu() {
            return cpu.subtract(before.map(Wanted::cpu).orElse(BigDecimal.ZERO));
        }

        BigDecimal moreMemory() {
            return memory.subtract(before.map(Wanted::memory).orElse(BigDecimal.ZERO));
        }
    }

    /** One volume. */
    record Claim(String storageClass, BigDecimal bytes) {}

    private final ClusterStack stack;
    private final KubernetesClient client;
    private final FreeCapacity capacity;

    /** @param stack in whose namespace pods of a StatefulSet find the claims again that they had */
    NodeRoom(ClusterStack stack) {
        this.stack = stack;
        this.client = stack.cluster().client();
        this.capacity = FreeCapacity.of(client);
    }

    /** What objects that are new or change ask for: workloads by their templates, those of operators as {@code needs.yaml} says. */
    static List<Wanted> of(List<ObjectPlan.Step> steps, Needs needs) {
        List<Wanted> all = new ArrayList<>();
        for (ObjectPlan.Step step : steps) {
            if (step.effect() == ObjectPlan.Effect.SAME) {
                continue;
            }
            // A job that is suspended has an object and no pods.
            List<Wanted> before = step.live()
                    .filter(live -> !FlinkJob.isSuspended(live))
                    .map(live -> of(live, needs))
                    .orElse(List.of());
            List<Wanted> now = of(step.object(), needs);
            for (int i = 0; i < now.size(); i++) {
                all.add(i < before.size() ? now.get(i).after(before.get(i)) : now.get(i));
            }
        }
        return all;
    }

    /** Of a kind always the same ones in the same order. */
    private static List<Wanted> of(GenericKubernetesResource object, Needs needs) {
        List<Wanted> all = new ArrayList<>();
        if (object.getKind().equals("StatefulSet")) {
            all.add(ofTemplate(object));
        }
        needs.pods().stream()
                .filter(pods -> pods.kind().equals(object.getKind()))
                .forEach(pods -> all.add(ofOperator(object, pods)));
        return all;
    }

    /** What has to be known of objects that get more pods than they have, a sentence each. */
    static List<String> grown(List<ObjectPlan.Step> steps, Needs needs) {
        List<String> sentences = new ArrayList<>();
        for (Needs.PodsOf pods : needs.pods()) {
            steps.stream()
                    .filter(step -> step.object().getKind().equals(pods.kind()))
                    .forEach(step -> grown(step, pods).ifPresent(sentences::add));
        }
        return sentences;
    }

    private static Optional<String> grown(ObjectPlan.Step step, Needs.PodsOf pods) {
        int now = ofOperator(step.object(), pods).count();
        int before = step.live().map(live -> ofOperator(live, pods).count()).orElse(now);
        if (pods.grown() == null || now <= before) {
            return Optional.empty();
        }
        String change = Owned.name(step.object()) + " goes from " + before + " to " + now + " pods: ";
        return Optional.of(change + pods.grown());
    }

    /** How many nodes of a group take pods. */
    int nodes(String role) {
        return capacity.nodes(role).size();
    }

    private static Wanted ofTemplate(GenericKubernetesResource set) {
        Object spec = Fields.at(set, "spec.template.spec").orElse(Map.of());
        BigDecimal cpu = BigDecimal.ZERO;
        BigDecimal memory = BigDecimal.ZERO;
        for (Object container : list(Fields.at(spec, "containers"))) {
            cpu = cpu.add(amount(Fields.at(container, "resources.requests.cpu")));
            memory = memory.add(memory(Fields.at(container, "resources.requests.memory")));
        }
        List<Claim> claims = list(Fields.at(set, "spec.volumeClaimTemplates")).stream()
                .map(NodeRoom::claim)
                .toList();
        int replicas = number(Fields.at(set, "spec.replicas"), 1);
        String name = set.getMetadata().getName();
        return new Wanted(name, replicas, role(spec), cpu, memory, claims, Optional.empty());
    }

    private static Wanted ofOperator(GenericKubernetesResource object, Needs.PodsOf pods) {
        Object resources = Fields.at(object, pods.resources()).orElse(Map.of());
        int replicas = pods.replicas() == null ? 1 : number(Fields.at(object, pods.replicas()), 1);
        if (pods.slots() != null) {
            int slots = number(Fields.at(object, pods.slots()), 1);
            replicas = (replicas + slots - 1) / slots;
        }
        Stream<Claim> own = pods.claims() == null
                ? Stream.of()
                : list(Fields.at(object, pods.claims())).stream()
                        .map(claim -> new Claim(
                                Fields.at(claim, "class").map(Object::toString).orElse(""),
                                amount(Fields.at(claim, "size"))));
        // Volumes that come and go with a pod.
        Stream<Claim> passing = list(Fields.at(object, pods.where() + ".spec.volumes")).stream()
                .flatMap(volume -> Fields.at(volume, "ephemeral.volumeClaimTemplate").stream())
                .map(NodeRoom::claim);
        return new Wanted(
                pods.name() == null ? Owned.name(object) : pods.name(),
                replicas,
                role(Fields.at(object, pods.where()).orElse(Map.of())),
                amount(Fields.at(resources, "cpu")),
                memory(Fields.at(resources, "memory")),
                Stream.concat(own, passing).toList(),
                Optional.empty());
    }

    private static Claim claim(Object template) {
        return new Claim(
                Fields.at(template, "spec.storageClassName")
                        .map(Object::toString)
                        .orElse(""),
                amount(Fields.at(template, "spec.resources.requests.storage")));
    }

    private static String role(Object spec) {
        Optional<Object> selected = Fields.anywhere(spec, "nodeSelector").flatMap(map -> Fields.at(map, ROLE));
        return selected.or(() -> list(Fields.anywhere(spec, "matchExpressions")).stream()
                        .filter(one ->
                                Fields.at(one, "key").filter(ROLE::equals).isPresent())
                        .flatMap(one -> list(Fields.at(one, "values")).stream())
                        .findFirst())
                .map(Object::toString)
                .orElse("");
    }

    private static List<Object> list(Optional<Object> value) {
        return value.filter(List.class::isInstance)
                .map(one -> List.<Object>copyOf((List<?>) one))
                .orElse(List.of());
    }

    private static BigDecimal amount(Optional<Object> value) {
        return Quantity.getAmountInBytes(
                Quantity.parse(value.map(Object::toString).orElse("0")));
    }

    /** Flink writes 4g or 4096m where others write 4Gi; what others mean by 4096m is no memory that anybody asks for. */
    private static BigDecimal memory(Optional<Object> value) {
        return amount(value.map(Object::toString)
                .map(text -> text.matches("\\d+[kmg]")
                        ? text.substring(0, text.length() - 1)
                                + text.substring(text.length() - 1).toUpperCase(Locale.ROOT) + "i"
                        : text));
    }

    private static int number(Optional<Object> value, int otherwise) {
        return value.map(Object::toString)
                .filter(text -> text.matches("\\d{1,6}"))
                .map(Integer::parseInt)
                .orElse(otherwise);
    }

    /** Sentences, one for each group of nodes that is too small and each class of volumes of which there are too few. */
    List<String> problems(List<Wanted> wanted) {
        List<String> problems = new ArrayList<>();
        wanted.stream()
                .sorted(Comparator.comparing(Wanted::memory).reversed())
                .map(capacity::place)
                .flatMap(Optional::stream)
                .forEach(problems::add);
        problems.addAll(volumes(wanted));
        return problems;
    }

    private List<String> volumes(List<Wanted> wanted) {
        Map<String, StorageClass> classes = new HashMap<>();
        client.storage()
                .v1()
                .storageClasses()
                .list()
                .getItems()
                .forEach(one -> classes.put(one.getMetadata().getName(), one));
        List<String> problems = new ArrayList<>();
        wanted.stream()
                .flatMap(one -> one.claims().stream())
                .map(Claim::storageClass)
                .distinct()
                .filter(name -> !classes.containsKey(name))
                .map(name ->
                        "there is no StorageClass '" + name + "'; those of this size: kubectl apply --server-side -k"
                                + " deploy/kubernetes/" + ClusterStack.PRODUCTION + "/cluster")
                .forEach(problems::add);
        List<PersistentVolume> all = client.persistentVolumes().list().getItems();
        for (Wanted one : wanted) {
            Stream<Claim> local = one.claims().stream()
                    .filter(claim -> classes.containsKey(claim.storageClass())
                            && classes.get(claim.storageClass())
                                    .getProvisioner()
                                    .equals(NO_PROVISIONER));
            disks(one, local.toList(), all).ifPresent(problems::add);
        }
        return problems;
    }

    /** What no provisioner makes has to be there, on nodes of that group. */
    private Optional<String> disks(Wanted one, List<Claim> claims, List<PersistentVolume> all) {
        if (claims.isEmpty()) {
            return Optional.empty();
        }
        Set<String> nodes = new HashSet<>();
        capacity.nodes(one.role())
                .forEach(node -> nodes.add(node.getMetadata().getLabels().getOrDefault("kubernetes.io/hostname", "")));
        String storageClass = claims.get(0).storageClass();
        BigDecimal least =
                claims.stream().map(Claim::bytes).max(BigDecimal::compareTo).orElseThrow();
        List<PersistentVolume> fit = all.stream()
                .filter(volume -> storageClass.equals(volume.getSpec().getStorageClassName()))
                .filter(volume ->
                        Quantity.getAmountInBytes(volume.getSpec().getCapacity().get("storage"))
                                        .compareTo(least)
                                >= 0)
                .filter(volume -> hosts(volume).anyMatch(nodes::contains))
                .toList();
        long there = fit.stream()
                .filter(volume -> "Available".equals(volume.getStatus().getPhase()))
                .count();
        // Pods that are there have their claims; what is held beyond them waits for pods that come.
        int held = Math.max(0, held(one, storageClass) - one.there() * claims.size());
        int needed = Math.max(0, one.count() - one.there()) * claims.size() - held;
        return there >= needed
                ? Optional.empty()
                : Optional.of(one.name() + ": " + needed + " volumes of class " + storageClass + " are wanted on nodes "
                        + ROLE + "=" + one.role() + ", and " + there + " are free; " + taken(fit)
                        + ", or their provisioner does not run (deploy/kubernetes/" + ClusterStack.PRODUCTION
                        + "/README.md)");
    }

    /** By whom, and how stacks give them back: each is named, for its data go with them. */
    private String taken(List<PersistentVolume> volumes) {
        Set<String> namespaces = volumes.stream()
                .map(volume -> volume.getSpec().getClaimRef())
                .filter(claim -> claim != null && !stack.namespace().equals(claim.getNamespace()))
                .map(ObjectReference::getNamespace)
                .collect(Collectors.toSet());
        List<String> commands = Cluster.visible(stack.cluster()::stacksWithVolumes).stream()
                .filter(other -> namespaces.contains(other.namespace()))
                .map(other -> "millrace down " + other.arguments() + " --data")
                .toList();
        return commands.isEmpty()
                ? "others have them, as kubectl get pv says"
                : "another stack has them (" + String.join("; ", commands) + ")";
    }

    /** Volumes that its claims have from before. */
    private int held(Wanted one, String storageClass) {
        return (int) client.persistentVolumeClaims().inNamespace(stack.namespace()).list().getItems().stream()
                .filter(claim -> storageClass.equals(claim.getSpec().getStorageClassName())
                        && "Bound".equals(claim.getStatus().getPhase())
                        && claim.getMetadata().getName().matches(".*-" + Pattern.quote(one.name()) + "-\\d+"))
                .count();
    }

    static Stream<String> hosts(PersistentVolume volume) {
        var affinity = volume.getSpec().getNodeAffinity();
        return affinity == null || affinity.getRequired() == null
                ? Stream.of()
                : affinity.getRequired().getNodeSelectorTerms().stream()
                        .flatMap(term -> term.getMatchExpressions().stream())
                        .filter(expression -> expression.getKey().equals("kubernetes.io/hostname"))
                        .flatMap(expression -> expression.getValues().stream());
    }
}
