package dev.millrace.deploy.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.deploy.kubernetes.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The production shape on pretended machines: the apiserver, the scheduler, the binding of volumes and Flink's operator are real, nodes and
 * what runs on them are not. The pods of a broker's operator are stood for by {@link PretendedPods}.
 */
@Tag("cluster")
class ProductionClusterTest {
    private static final Production PRODUCTION = Production.ofClone();
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    private static Path work;
    private static TestCluster cluster;
    private static FlinkOperator operator;

    /** Of one pod: where it is, and the volumes that it has got. */
    private record Placed(String name, String node, String phase, List<String> claims) {}

    static List<String> brokers() {
        return PRODUCTION.brokers();
    }

    @BeforeAll
    static void up() throws Exception {
        // The name of a cluster's folder is short: a socket is in it.
        work = Files.createTempDirectory("c5-");
        cluster = TestCluster.upPretended(work.resolve("c"));
        int number = 0;
        for (String definition : Schemas.definitions()) {
            Path file = Files.writeString(work.resolve("crd-" + number++ + ".yaml"), definition);
            apply("-f", file.toString());
        }
        done("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s");
        apply("-k", Manifests.ROOT.resolve(Production.CLUSTER).toString());
        machines();
        operator = FlinkOperator.start(
                cluster,
                work,
                brokers().stream().map(ProductionClusterTest::namespace).toList());
    }

    private static void machines() {
        apply("-f", Manifests.ROOT.resolve("deploy/testcluster/c5-i7i").toString());
        done("wait", "--for=condition=Ready", "node", "--all", "--timeout=60s");
    }

    @AfterAll
    static void down() {
        if (operator != null) {
            operator.close();
        }
        if (cluster != null) {
            cluster.close();
            cluster.run(Duration.ofMinutes(1), List.of("rm", "-rf", work.toString()));
        }
    }

    private static String namespace(String broker) {
        return "millrace-" + broker;
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @DisplayName(
            "every object is taken strictly, every pod is where it should be, on its own disks; one node less is said clearly")
    void fits(String broker) throws Exception {
        String namespace = namespace(broker);
        done("create", "namespace", namespace);
        Path stack = stack(broker);
        try {
            // As it is, with the version of Flink that the newest operator has, without keeping it.
            apply("--dry-run=server", "-k", stack.toString());
            Files.writeString(
                    stack.resolve(Manifests.KUSTOMIZATION),
                    Files.readString(stack.resolve(Manifests.KUSTOMIZATION))
                            + "patches:\n  - target: {kind: FlinkDeployment, name: job}\n    patch: |-\n"
                            + "      - {op: replace, path: /spec/flinkVersion, value: v1_19}\n");
            apply("-k", stack.toString());
        } finally {
            Files.delete(stack.resolve(Manifests.KUSTOMIZATION));
            Files.delete(stack);
        }
        List<BrokerPods> pretended = BrokerPods.of(PRODUCTION, broker);
        Path pods = Files.writeString(work.resolve(broker + ".yaml"), PretendedPods.yaml(pretended));
        apply("-n", namespace, "-f", pods.toString());

        int own = 3 + 3 + 1;
        int flink = 1 + 4;
        int all =
                own + flink + pretended.stream().mapToInt(BrokerPods::replicas).sum();
        List<Placed> placed = await(
                namespace,
                there -> there.size() == all
                        && there.stream().allMatch(pod -> pod.phase().equals("Running")));
        places(placed, pretended);
        disks(namespace, placed);
        oneNodeLess(namespace, pretended);
    }

    private static Path stack(String broker) throws IOException {
        Path folder = Files.createTempDirectory(
                Files.createDirectories(Manifests.ROOT.resolve("deploy/kubernetes/target")), "stack-");
        String up = "../../../../" + Production.folder(broker);
        boolean isComponent = Files.exists(
                Manifests.ROOT.resolve(Production.folder(broker) + "/durability/matched/" + Manifests.KUSTOMIZATION));
        Files.writeString(
                folder.resolve(Manifests.KUSTOMIZATION),
                "resources: [" + up + "]\ncomponents: [" + up + Production.MONITORING
                        + (isComponent ? ", " + up + "/durability/matched" : "") + "]\n");
        return folder;
    }

    private static void places(List<Placed> placed, List<BrokerPods> pretended) {
        Map<String, String> roles = new TreeMap<>(Map.of(
                "clickhouse-\\d",
                "store",
                "keeper-\\d",
                "infra",
                "generator-0",
                "load",
                "job-taskmanager-.*",
                "flink",
                "job-(?!taskmanager).*",
                "infra"));
        pretended.forEach(pods -> roles.put(pods.name() + "-\\d", pods.role()));
        Map<String, List<String>> nodes = new TreeMap<>();
        for (Placed pod : placed) {
            String kind = roles.keySet().stream()
                    .filter(pattern -> pod.name().matches(pattern))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("nobody knows the pod " + pod.name()));
            assertThat(pod.node()).as(pod.name()).startsWith(roles.get(kind) + "-");
            nodes.computeIfAbsent(kind, key -> new ArrayList<>()).add(pod.node());
        }
        assertThat(nodes.keySet()).isEqualTo(roles.keySet());
        // Two of a kind are never on one host.
        nodes.forEach((kind, there) -> assertThat(there).as(kind).doesNotHaveDuplicates());
        assertThat(nodes.get("job-taskmanager-.*")).hasSize(4);
    }

    /** Each claim is bound; a disk of a node is bound to the claim of a pod there, and to one only. */
    private static void disks(String namespace, List<Placed> placed) throws IOException {
        Map<String, String> nodes = new TreeMap<>();
        placed.forEach(pod -> pod.claims().forEach(claim -> nodes.put(claim, pod.node())));
        List<String> volumes = new ArrayList<>();
        for (JsonNode claim : items("-n", namespace, "get", "pvc", "-o", "json")) {
            String name = claim.at("/metadata/name").asText();
            String volume = claim.at("/spec/volumeName").asText();
            assertThat(claim.at("/status/phase").asText()).as(name).isEqualTo("Bound");
            volumes.add(volume);
            if (claim.at("/spec/storageClassName").asText().equals("local-nvme")) {
                assertThat(volume).as(name).startsWith("nvme-" + nodes.get(name) + "-");
            } else {
                assertThat(volume).as(name).startsWith("ebs-");
            }
        }
        assertThat(volumes).doesNotHaveDuplicates();
        assertThat(volumes.stream().filter(volume -> volume.startsWith("nvme-broker-")))
                .hasSize(6);
        assertThat(volumes.stream().filter(volume -> volume.startsWith("nvme-store-")))
                .hasSize(3);
        assertThat(volumes.stream().filter(volume -> volume.startsWith("ebs-state-")))
                .hasSize(4);
    }

    private static void oneNodeLess(String namespace, List<BrokerPods> pretended) throws IOException {
        String gone = "broker-2";
        List<String> there = pods(namespace).stream()
                .filter(pod -> pod.node().equals(gone))
                .map(Placed::name)
                .toList();
        assertThat(there).hasSize((int)
                pretended.stream().filter(pods -> pods.role().equals("broker")).count());
        done("delete", "node", gone);
        for (String pod : there) {
            done("-n", namespace, "delete", "pod", pod, "--ignore-not-found", "--force", "--grace-period=0");
        }
        await(
                namespace,
                now -> now.stream().filter(pod -> there.contains(pod.name())).count() == there.size()
                        && now.stream()
                                .filter(pod -> there.contains(pod.name()))
                                .allMatch(pod -> pod.phase().equals("Pending")));
        for (String pod : there) {
            String said = awaitMessage(namespace, pod);
            assertThat(said)
                    .contains("nodes are available")
                    .containsAnyOf(
                            "didn't match pod anti-affinity rules",
                            "volume node affinity conflict",
                            "Insufficient cpu");
        }
        assertThat(pods(namespace).stream().filter(pod -> pod.phase().equals("Running")))
                .as("the others go on")
                .hasSizeGreaterThan(15);
    }

    /** What the scheduler says of a pod that it has no node for. */
    private static String awaitMessage(String namespace, String pod) throws IOException {
        long until = System.nanoTime() + BOUND.toNanos();
        while (true) {
            for (JsonNode one : items("-n", namespace, "get", "pod", "-o", "json")) {
                String said = one.at("/status/conditions/0/message").asText();
                if (one.at("/metadata/name").asText().equals(pod) && !said.isEmpty()) {
                    return said;
                }
            }
            assertThat(System.nanoTime()).as("a message for " + pod).isLessThan(until);
            LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
        }
    }

    /** The next broker gets the same machines: what held disks is gone, and the provisioner has emptied them. */
    @AfterEach
    void emptied() throws IOException {
        for (String broker : brokers()) {
            cluster.kubectl("-n", namespace(broker), "delete", "flinkdeployment", "--all", "--timeout=60s");
            cluster.kubectl("delete", "namespace", namespace(broker), "--ignore-not-found", "--timeout=90s");
        }
        done("delete", "pv", "--all", "--timeout=60s");
        machines();
    }

    private static List<Placed> await(String namespace, Predicate<List<Placed>> wanted) throws IOException {
        long until = System.nanoTime() + BOUND.toNanos();
        List<Placed> there = pods(namespace);
        while (!wanted.test(there)) {
            if (System.nanoTime() > until) {
                done("-n", namespace, "get", "events", "--field-selector=type=Warning");
                throw new AssertionError("not as wanted: " + there + "; Flink's operator: " + operator.said());
            }
            LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
            there = pods(namespace);
        }
        return there;
    }

    private static List<Placed> pods(String namespace) throws IOException {
        List<Placed> pods = new ArrayList<>();
        for (JsonNode pod : items("-n", namespace, "get", "pods", "-o", "json")) {
            List<String> claims = new ArrayList<>();
            for (JsonNode volume : pod.at("/spec/volumes")) {
                if (volume.has("persistentVolumeClaim")) {
                    claims.add(volume.at("/persistentVolumeClaim/claimName").asText());
                } else if (volume.has("ephemeral")) {
                    claims.add(pod.at("/metadata/name").asText() + "-"
                            + volume.at("/name").asText());
                }
            }
            pods.add(new Placed(
                    pod.at("/metadata/name").asText(),
                    pod.at("/spec/nodeName").asText(),
                    pod.at("/status/phase").asText(),
                    claims));
        }
        return pods;
    }

    private static JsonNode items(String... arguments) throws IOException {
        return JSON.readTree(cluster.ask(arguments)).at("/items");
    }

    private static void apply(String... arguments) {
        List<String> command = new ArrayList<>(List.of("apply", "--server-side", "--validate=strict"));
        command.addAll(List.of(arguments));
        done(command.toArray(String[]::new));
    }

    private static void done(String... arguments) {
        TestCluster.Ended ended = cluster.kubectl(arguments);
        assertThat(ended.code())
                .as(List.of(arguments).stream().collect(Collectors.joining(" ")) + ": " + ended.out())
                .isZero();
    }
}
