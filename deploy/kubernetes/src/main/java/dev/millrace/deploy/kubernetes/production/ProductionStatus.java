package dev.millrace.deploy.kubernetes.production;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import dev.millrace.deploy.kubernetes.cluster.OwnedObjects;
import dev.millrace.deploy.kubernetes.cluster.Rollout;
import dev.millrace.deploy.kubernetes.stack.Credentials;
import dev.millrace.deploy.kubernetes.stack.StackStatus;
import dev.millrace.deploy.look.Table;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A stack of the production shape as its cluster knows it: what operators say of its objects, its pods and volumes and where they are, its class of
 * durability; and what its job, its store and its running broker say in the generator's pod. Immutable.
 */
public final class ProductionStatus {
    private final ClusterStack stack;
    private final List<Rollout.Workload> objects;
    private final List<Pod> pods;
    private final List<PersistentVolumeClaim> claims;
    private final Map<String, String> places;
    private final String durability;
    private final String parallelism;
    private final String figures;

    private ProductionStatus(ClusterStack stack, Needs needs, String figures) {
        this.stack = stack;
        this.figures = figures;
        KubernetesClient client = stack.cluster().client();
        Map<Needs.Definition, List<GenericKubernetesResource>> live = Stages.objects(stack, needs);
        this.objects = live.entrySet().stream()
                .filter(kind -> kind.getKey().until() != null)
                .flatMap(kind -> kind.getValue().stream()
                        .map(object -> Stages.state(Owned.name(object), Optional.of(object), kind.getKey())))
                .toList();
        this.pods = pods(stack, needs);
        this.claims = claims(stack, needs, pods);
        this.places = places(client);
        this.durability = durability(stack, live);
        this.parallelism = live.values().stream()
                .flatMap(List::stream)
                .filter(object -> object.getKind().equals(FlinkJob.KIND))
                .map(job -> Fields.text(job, "spec.job.parallelism"))
                .findFirst()
                .orElse("");
    }

    /** @param figures as {@code status} prints them in the generator's pod, text or JSON as is asked for here; empty while none is to be had */
    public static ProductionStatus of(ClusterStack stack, Needs needs, String figures) {
        return new ProductionStatus(stack, needs, figures);
    }

    /** Of the stack, and those that operators or a chart made for it; sorted by name. */
    public static List<Pod> pods(ClusterStack stack, Needs needs) {
        Map<String, Pod> all = new LinkedHashMap<>();
        var there = stack.cluster().client().pods().inNamespace(stack.namespace());
        Stream.concat(
                        stack.pods().stream(),
                        needs.selectors().stream()
                                .flatMap(selector -> there.withLabelSelector(selector).list().getItems().stream()))
                .forEach(pod -> all.put(pod.getMetadata().getName(), pod));
        return all.values().stream()
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
                .toList();
    }

    private static List<PersistentVolumeClaim> claims(ClusterStack stack, Needs needs, List<Pod> pods) {
        TreeSet<String> mounted = new TreeSet<>();
        pods.forEach(pod -> pod.getSpec().getVolumes().forEach(volume -> {
            if (volume.getPersistentVolumeClaim() != null) {
                mounted.add(volume.getPersistentVolumeClaim().getClaimName());
            } else if (volume.getEphemeral() != null) {
                mounted.add(pod.getMetadata().getName() + "-" + volume.getName());
            }
        }));
        OwnedObjects.claims(stack)
                .forEach(claim -> mounted.add(claim.getMetadata().getName()));
        return stack
                .cluster()
                .client()
                .persistentVolumeClaims()
                .inNamespace(stack.namespace())
                .list()
                .getItems()
                .stream()
                .filter(claim -> mounted.contains(claim.getMetadata().getName()))
                .sorted(Comparator.comparing(claim -> claim.getMetadata().getName()))
                .toList();
    }

    /** Of volumes that are disks of a node, by name: which node's. */
    private static Map<String, String> places(KubernetesClient client) {
        Map<String, String> places = new LinkedHashMap<>();
        for (PersistentVolume volume : client.persistentVolumes().list().getItems()) {
            NodeRoom.hosts(volume)
                    .findFirst()
                    .ifPresent(host -> places.put(volume.getMetadata().getName(), host));
        }
        return places;
    }

    /** As the objects on the cluster say it, not as somebody meant it. */
    private static String durability(ClusterStack stack, Map<Needs.Definition, List<GenericKubernetesResource>> live) {
        List<Map<String, String>> said = new ArrayList<>();
        live.values().forEach(all -> all.forEach(object -> said.add(annotations(object))));
        stack.cluster()
                .client()
                .apps()
                .statefulSets()
                .inNamespace(stack.namespace())
                .list()
                .getItems()
                .forEach(set -> Optional.ofNullable(
                                set.getSpec().getTemplate().getMetadata().getAnnotations())
                        .ifPresent(said::add));
        TreeSet<String> classes = new TreeSet<>();
        said.forEach(annotations -> Optional.ofNullable(annotations.get(ProductionManifests.DURABILITY))
                .ifPresent(classes::add));
        return String.join(" and ", classes);
    }

    private static Map<String, String> annotations(HasMetadata object) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }

    private String state() {
        if (stack.size().isEmpty()) {
            return "down; what data are bound to is there, and up goes on from it";
        }
        boolean ready = objects.stream().allMatch(Rollout.Workload::isDone)
                && pods.stream().allMatch(pod -> StackStatus.state(pod).equals("ready"));
        return ready ? "running" : "not all is ready";
    }

    private String place(PersistentVolumeClaim claim) {
        return places.getOrDefault(
                Optional.ofNullable(claim.getSpec().getVolumeName()).orElse(""), "");
    }

    private static String orDash(String text) {
        return text == null || text.isEmpty() ? "-" : text;
    }

    public String text() {
        Table said = new Table("object", "state");
        objects.forEach(one -> said.row(one.name(), one.isDone() ? "ready" : one.says()));
        Table table = new Table("pod", "state", "restarts", "node");
        pods.forEach(pod -> table.row(
                pod.getMetadata().getName(),
                StackStatus.state(pod),
                StackStatus.restarts(pod),
                orDash(pod.getSpec().getNodeName())));
        Table volumes = new Table("claim", "state", "class", "node");
        claims.forEach(claim -> volumes.row(
                claim.getMetadata().getName(),
                claim.getStatus().getPhase(),
                orDash(claim.getSpec().getStorageClassName()),
                orDash(place(claim))));
        return "broker       " + stack.broker() + "\nsize         " + ClusterStack.PRODUCTION + "\nstate        "
                + state()
                + "\nparallelism  " + orDash(parallelism) + "\ndurability   " + orDash(durability) + "\nnamespace    "
                + stack.namespace() + " on " + stack.cluster().context() + "\n"
                + Credentials.warning(Credentials.until(stack.pods().stream()), Instant.now(), stack)
                        .map(warning -> "warning      " + warning + "\n")
                        .orElse("")
                + "\n" + pipeline() + said + "\n" + table + "\n" + volumes;
    }

    /** Without the broker's name, which is said above; the broker's own words about durability are among it. */
    private String pipeline() {
        return figures.isEmpty()
                ? ""
                : StackStatus.withoutProcesses(figures)
                                .replaceFirst("(?m)^broker .*\\R", "")
                                .replaceFirst("(?m)^state    ", "pipeline ")
                        + "\n\n";
    }

    public String json() {
        ObjectNode root = JsonNodeFactory.instance
                .objectNode()
                .put("broker", stack.broker())
                .put("size", ClusterStack.PRODUCTION)
                .put("state", state())
                .put("parallelism", parallelism)
                .put("durability", durability)
                .put("namespace", stack.namespace())
                .put(
                        "certificatesUntil",
                        Credentials.until(stack.pods().stream())
                                .map(Instant::toString)
                                .orElse(null));
        root.set("figures", figures.isEmpty() ? null : StackStatus.parsed(figures));
        ArrayNode said = root.putArray("objects");
        objects.forEach(one -> said.addObject()
                .put("name", one.name())
                .put("ready", one.isDone())
                .put("says", one.says()));
        ArrayNode list = root.putArray("pods");
        pods.forEach(pod -> list.addObject()
                .put("name", pod.getMetadata().getName())
                .put("state", StackStatus.state(pod))
                .put("restarts", StackStatus.restarts(pod))
                .put("node", pod.getSpec().getNodeName()));
        ArrayNode volumes = root.putArray("volumes");
        claims.forEach(claim -> volumes.addObject()
                .put("claim", claim.getMetadata().getName())
                .put("state", claim.getStatus().getPhase())
                .put("class", claim.getSpec().getStorageClassName())
                .put("node", place(claim)));
        return root.toString();
    }
}
