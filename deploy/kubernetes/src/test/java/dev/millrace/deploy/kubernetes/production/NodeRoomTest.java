package dev.millrace.deploy.kubernetes.production;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.kubernetes.cluster.LoopbackCluster;
import dev.millrace.deploy.kubernetes.cluster.ObjectPlan;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeRoomTest {
    private static final BigDecimal GIB = BigDecimal.valueOf(1L << 30);
    private static final Needs NEEDS = new Needs(
            List.of(),
            List.of(),
            List.of(),
            List.of(
                    new Needs.PodsOf(
                            "Servers",
                            null,
                            "spec.replicas",
                            null,
                            "spec.resources",
                            "spec.pod",
                            null,
                            "what is there stays where it is"),
                    new Needs.PodsOf(
                            FlinkJob.KIND,
                            "the workers",
                            "spec.job.parallelism",
                            "spec.slots",
                            "spec.resources",
                            "spec.pod",
                            null,
                            null)),
            List.of(),
            List.of(),
            List.of());

    private static GenericKubernetesResource servers(int replicas, int cpu, String role) {
        return Serialization.unmarshal(
                """
                apiVersion: example.com/v1
                kind: Servers
                metadata: {name: one}
                spec:
                  replicas: %d
                  resources: {cpu: "%d", memory: 8Gi}
                  pod: {nodeSelector: {millrace/role: %s}}
                """
                        .formatted(replicas, cpu, role),
                GenericKubernetesResource.class);
    }

    private static GenericKubernetesResource job(int parallelism, String state) {
        return Serialization.unmarshal(
                """
                apiVersion: %s
                kind: %s
                metadata: {name: job}
                spec:
                  job: {parallelism: %d, state: %s}
                  slots: 16
                  resources: {cpu: 15, memory: 26g}
                  pod: {nodeSelector: {millrace/role: flink}}
                """
                        .formatted(FlinkJob.VERSION, FlinkJob.KIND, parallelism, state),
                GenericKubernetesResource.class);
    }

    private static ObjectPlan.Step created(GenericKubernetesResource object) {
        return new ObjectPlan.Step(ObjectPlan.Effect.CREATE, object, List.of(), Optional.empty());
    }

    private static ObjectPlan.Step changed(GenericKubernetesResource live, GenericKubernetesResource object) {
        return new ObjectPlan.Step(ObjectPlan.Effect.CHANGE, object, List.of("something"), Optional.of(live));
    }

    private static NodeRoom.Wanted wanted(ObjectPlan.Step step) {
        List<NodeRoom.Wanted> all = NodeRoom.of(List.of(step), NEEDS);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static Node node(String role, int number, boolean isCordoned) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(role + "-" + number)
                .withLabels(Map.of(NodeRoom.ROLE, role))
                .endMetadata()
                .withNewSpec()
                .withUnschedulable(isCordoned)
                .endSpec()
                .withNewStatus()
                .withAllocatable(Map.of("cpu", new Quantity("16"), "memory", new Quantity("28Gi")))
                .endStatus()
                .build();
    }

    /** As many of a group, each with what EKS leaves of a c5.4xlarge or so. */
    private static List<Node> nodes(String role, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> node(role, number, false))
                .toList();
    }

    private static Pod pod(String node, int cpu, String memory) {
        return new PodBuilder()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withNewResources()
                .withRequests(Map.of("cpu", new Quantity(Integer.toString(cpu)), "memory", new Quantity(memory)))
                .endResources()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .endStatus()
                .build();
    }

    /** On so many nodes of a group one that has this. */
    private static List<Pod> pods(String role, int count, int cpu, String memory) {
        return IntStream.range(0, count)
                .mapToObj(number -> pod(role + "-" + number, cpu, memory))
                .toList();
    }

    private static Optional<String> place(List<Node> nodes, List<Pod> there, ObjectPlan.Step step) {
        return new FreeCapacity(nodes, there).place(wanted(step));
    }

    @Test
    @DisplayName("a new object asks for all of it, one that changes for what it has not, any other for nothing")
    void asks() {
        NodeRoom.Wanted fresh = wanted(created(servers(3, 15, "a")));
        assertThat(fresh.count()).isEqualTo(3);
        assertThat(fresh.there()).isZero();
        assertThat(fresh.moreCpu()).isEqualByComparingTo("15");
        assertThat(fresh.moreMemory()).isEqualByComparingTo(GIB.multiply(BigDecimal.valueOf(8)));
        NodeRoom.Wanted more = wanted(changed(servers(3, 14, "a"), servers(6, 15, "a")));
        assertThat(more.count()).isEqualTo(6);
        assertThat(more.there()).isEqualTo(3);
        assertThat(more.moreCpu()).isEqualByComparingTo("1");
        assertThat(more.moreMemory()).isZero();
        assertThat(NodeRoom.of(
                        List.of(new ObjectPlan.Step(
                                ObjectPlan.Effect.SAME,
                                servers(3, 15, "a"),
                                List.of(),
                                Optional.of(servers(3, 15, "a")))),
                        NEEDS))
                .isEmpty();
    }

    @Test
    @DisplayName("pods on another group of nodes, and those of a suspended job, give no room")
    void givesNone() {
        assertThat(wanted(changed(servers(3, 15, "a"), servers(3, 15, "b"))).there())
                .isZero();
        assertThat(wanted(changed(job(64, "suspended"), job(64, "running"))).there())
                .isZero();
        assertThat(wanted(changed(job(64, "running"), job(65, "running"))))
                .satisfies(one -> assertThat(one.there()).isEqualTo(4))
                .satisfies(one -> assertThat(one.count()).isEqualTo(5));
    }

    @Test
    @DisplayName("memory is what Flink means by it, in its own words, too")
    void flinksMemory() {
        assertThat(wanted(created(job(16, "running"))).memory())
                .isEqualByComparingTo(GIB.multiply(BigDecimal.valueOf(26)));
        GenericKubernetesResource mebibytes = job(16, "running");
        Fields.set(mebibytes, "spec.resources.memory", "26624m");
        assertThat(wanted(created(mebibytes)).memory()).isEqualByComparingTo(GIB.multiply(BigDecimal.valueOf(26)));
    }

    @Test
    @DisplayName("a node that is not ready takes no pod")
    void notReady() {
        List<Node> nodes = new ArrayList<>(nodes("flink", 2));
        assertThat(place(nodes, List.of(), created(job(32, "running")))).isEmpty();
        nodes.get(1)
                .getStatus()
                .setConditions(List.of(new NodeConditionBuilder()
                        .withType("Ready")
                        .withStatus("Unknown")
                        .build()));
        assertThat(place(nodes, List.of(), created(job(32, "running")))).isPresent();
    }

    @Test
    @DisplayName("more pods than there are nodes are refused, though each node is taken by a pod of the same object")
    void tooManyPods() {
        List<Pod> there = pods("flink", 4, 15, "26Gi");
        ObjectPlan.Step twice = changed(job(64, "running"), job(128, "running"));
        assertThat(place(nodes("flink", 4), there, twice))
                .hasValue("the workers: 8 pods, now 4, want a node each with the label millrace/role=flink with 15.0"
                        + " cores and 26 GiB free or theirs already, and of 4 such nodes 4 have that");
        assertThat(place(nodes("flink", 8), there, twice)).isEmpty();
        assertThat(place(nodes("flink", 7), there, twice)).isPresent();
    }

    @Test
    @DisplayName("also where no pod has come of what is there yet")
    void noPodYet() {
        ObjectPlan.Step twice = changed(job(64, "running"), job(128, "running"));
        assertThat(place(nodes("flink", 4), List.of(), twice)).isPresent();
    }

    @Test
    @DisplayName("what has as many pods of the same size, or fewer, has its room, on full and closed nodes, too")
    void hasItsRoom() {
        List<Pod> there = pods("flink", 4, 15, "26Gi");
        List<Node> nodes = Stream.concat(nodes("flink", 3).stream(), Stream.of(node("flink", 3, true)))
                .toList();
        assertThat(place(nodes, there, changed(job(64, "running"), job(64, "running"))))
                .isEmpty();
        assertThat(place(nodes, there, changed(job(64, "running"), job(32, "running"))))
                .isEmpty();
        assertThat(place(nodes, there, created(job(64, "running")))).hasValueSatisfying(said -> assertThat(said)
                .contains("4 pods want a node each", "GiB free, and of 3 such"));
    }

    @Test
    @DisplayName("pods that grow find room beside what they have, or are refused")
    void grows() {
        List<Pod> there = pods("a", 3, 14, "8Gi");
        List<Node> nodes = nodes("a", 3);
        assertThat(place(nodes, there, changed(servers(3, 14, "a"), servers(3, 16, "a"))))
                .isEmpty();
        assertThat(place(nodes, there, changed(servers(3, 14, "a"), servers(3, 17, "a"))))
                .hasValueSatisfying(said -> assertThat(said).contains("one: 3 pods, now 3, want", "of 3 such nodes 0"));
    }

    @Test
    @DisplayName("who has the disks that are missing is named, with the command that gives them back")
    void disks() throws IOException {
        try (LoopbackCluster there = new LoopbackCluster()) {
            there.with(
                            "nodes",
                            """
                            apiVersion: v1
                            kind: Node
                            metadata: {name: a, labels: {millrace/role: a, kubernetes.io/hostname: a}}
                            spec: {}
                            status: {allocatable: {cpu: "16", memory: 28Gi}}
                            """)
                    .with(
                            "storageclasses",
                            """
                            apiVersion: storage.k8s.io/v1
                            kind: StorageClass
                            metadata: {name: disks}
                            provisioner: kubernetes.io/no-provisioner
                            """)
                    .with("persistentvolumes", disk("one", "Bound", "sensors"))
                    .with("persistentvolumes", disk("two", "Bound", "somebodys"))
                    .with("persistentvolumes", disk("three", "Bound", "here"));
            NodeRoom room = new NodeRoom(new ClusterStack(there.cluster(), "here", "north"));
            NodeRoom.Wanted wanted = new NodeRoom.Wanted(
                    "server", 1, "a", BigDecimal.ONE, GIB, List.of(new NodeRoom.Claim("disks", GIB)), Optional.empty());
            assertThat(room.problems(List.of(wanted)))
                    .singleElement()
                    .asString()
                    .contains("and 0 are free; others have them, as kubectl get pv says, or their provisioner");
            there.with("persistentvolumeclaims", claim("sensors", "south"))
                    .with("persistentvolumeclaims", claim("here", "north"))
                    .with("persistentvolumeclaims", claim("without-disks", "south"));
            assertThat(room.problems(List.of(wanted)))
                    .singleElement()
                    .asString()
                    .contains(
                            "; another stack has them (millrace down --target kubernetes --context loopback --broker south"
                                    + " --namespace sensors --data), or their provisioner");
            there.with("persistentvolumes", disk("four", "Available", "sensors"));
            assertThat(room.problems(List.of(wanted))).isEmpty();
        }
    }

    private static String disk(String name, String phase, String namespace) {
        return """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: %s}
                spec:
                  storageClassName: disks
                  capacity: {storage: 5Gi}
                  claimRef: {namespace: %s, name: data-0}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                        - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [a]}]
                status: {phase: %s}
                """
                .formatted(name, namespace, phase);
    }

    private static String claim(String namespace, String broker) {
        return """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata:
                  name: data-0
                  namespace: %s
                  labels: {app.kubernetes.io/managed-by: millrace, millrace.dev/stack: %s}
                spec: {storageClassName: disks}
                status: {phase: Bound}
                """
                .formatted(namespace, broker);
    }

    @Test
    @DisplayName("what has to be known is said of an object that gets more pods, and of no other")
    void isSaid() {
        assertThat(NodeRoom.grown(
                        List.of(
                                changed(servers(3, 15, "a"), servers(6, 15, "a")),
                                changed(servers(6, 15, "a"), servers(3, 15, "a")),
                                changed(servers(3, 15, "a"), servers(3, 16, "a")),
                                created(servers(3, 15, "a")),
                                changed(job(64, "running"), job(128, "running"))),
                        NEEDS))
                .containsExactly("Servers/one goes from 3 to 6 pods: what is there stays where it is");
    }
}
