package dev.millrace.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.deploy.kubernetes.TestCluster.Ended;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import dev.millrace.deploy.kubernetes.production.FlinkJob;
import dev.millrace.deploy.kubernetes.production.Needs;
import dev.millrace.deploy.local.Installation;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The verbs on a stack of the production shape: a real apiserver and scheduler, pretended machines, and operators that are not there. What they would
 * say of their objects {@link PretendedOperators} says, and a pod that does nothing stands for each of them.
 */
@Tag("cluster")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ProductionVerbsTest {
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final Installation INSTALLATION = Installation.here();
    private static final List<String> FLINK = List.of(
            "/META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml",
            "/META-INF/fabric8/flinkstatesnapshots.flink.apache.org-v1.yml");
    private static final String BUCKET = "some-bucket";
    private static final String NO_PODS = "no-pods";

    private static Path work;
    private static TestCluster cluster;
    private static KubernetesClient client;

    static List<String> brokers() {
        return INSTALLATION.brokers().stream()
                .filter(broker -> Needs.find(INSTALLATION, broker).isPresent())
                .toList();
    }

    @BeforeAll
    static void up() throws IOException {
        // The name of a cluster's folder is short: a socket is in it.
        work = Files.createTempDirectory("c5v-");
        cluster = TestCluster.upPretended(work.resolve("c"));
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(Files.readString(cluster.kubeconfig())))
                .build();
        Files.createDirectory(work.resolve("flink"));
        for (String definition : FLINK) {
            try (InputStream in = ProductionVerbsTest.class.getResourceAsStream(definition)) {
                Files.write(
                        work.resolve("flink").resolve(Path.of(definition).getFileName() + ".yaml"), in.readAllBytes());
            }
        }
        machines();
        done("create", "namespace", "others");
    }

    /** Also after a stack is gone: what held disks is gone, and the provisioner has emptied them. */
    @AfterEach
    void emptied() {
        for (String broker : brokers()) {
            done("delete", "namespace", "millrace-" + broker, "--ignore-not-found", "--timeout=60s");
        }
        done("delete", "pv", "--all", "--timeout=60s");
        machines();
    }

    private static void machines() {
        done(
                "apply",
                "--server-side",
                "-f",
                cluster.root().resolve("deploy/testcluster/c5-i7i").toString());
    }

    @AfterAll
    static void down() {
        if (client != null) {
            client.close();
        }
        if (cluster != null) {
            cluster.close();
            cluster.run(Duration.ofMinutes(1), List.of("rm", "-rf", work.toString()));
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @Order(1)
    @DisplayName("what a cluster lacks is said at once, with the commands that mend it, and nothing is made")
    void lacks(String broker) {
        Needs needs = Needs.of(INSTALLATION, broker);
        Ended up = millrace("up", broker, "--size", ClusterStack.PRODUCTION);
        assertThat(up.code()).as(up.out()).isEqualTo(3);
        assertThat(needs.definitions()).allSatisfy(one -> assertThat(up.out())
                .contains("there is no CustomResourceDefinition " + one.name() + " that serves version "
                        + one.version()));
        assertThat(needs.installed()).allSatisfy(one -> {
            assertThat(up.out())
                    .contains(one.what() + " is not there: no " + one.kind() + " '"
                            + one.names().get(0));
            assertThat(one.by())
                    .allSatisfy(command -> assertThat(up.out()).contains(command.replaceFirst("\\{.*", "")));
        });
        assertThat(up.out())
                .doesNotContain("{")
                .contains(
                        "there is no image: --registry",
                        "there is no bucket",
                        "there is no StorageClass 'gp3'",
                        "there is no StorageClass 'gp3-state'")
                .contains("  + FlinkDeployment/job", "  + Secret/clickhouse-tls", "nothing was made");
        assertThat(cluster.kubectl("get", "namespaces", "--output", "name").out())
                .doesNotContain("millrace");
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @Order(2)
    @DisplayName(
            "up in its order; down leaves what data are bound to, then nothing of it; what others made of the same kinds stays all the while")
    void life(String broker) throws IOException {
        Needs needs = Needs.of(INSTALLATION, broker);
        String namespace = "millrace-" + broker;
        done(
                "apply",
                "--server-side",
                "-k",
                cluster.root().resolve("deploy/kubernetes/c5-i7i/cluster").toString());
        List<String> foreign = install(broker, needs, namespace);
        try (PretendedOperators said = PretendedOperators.start(client, namespace, needs)) {
            comesUp(broker, needs, namespace);
            assertThat(said.hasSaid()).isTrue();
            isLookedAt(broker, needs);
            apply(savepoint(namespace, "job"));
            // Of a broker whose servers are nobody's objects the rest is the same: minutes of CI for nothing new.
            if (needs.left().isEmpty()) {
                hasNoRoomFor(broker, needs);
                scales(broker, namespace);
                goesAndComes(broker, namespace);
                claims(broker, namespace, needs);
                refused(broker);
            }
            Ended end = millrace("down", broker, "--data", "--crds");
            assertThat(end.code()).as(end.out()).isZero();
            needs.left().forEach(command -> assertThat(end.out()).contains(command.replace("{namespace}", namespace)));
            if (needs.left().isEmpty()) {
                assertThat(end.out())
                        .contains("left alone, for they do not say whose they are: PersistentVolumeClaim/of-somebody");
            }
            assertThat(end.out()).contains("2 CustomResourceDefinitions that up --crds had made are gone");
        }
        assertThat(foreign)
                .allSatisfy(one -> assertThat(cluster.kubectl(one.split(" ")).code())
                        .as(one)
                        .isZero());
        assertThat(cluster.kubectl("get", "storageclass,crd", "--output", "name")
                        .out())
                .contains("storageclass.storage.k8s.io/local-nvme")
                .doesNotContain("flinkdeployments.flink");
        assertThat(names(
                        namespace,
                        "all,configmaps,secrets,roles,rolebindings,pvc,networkpolicies",
                        Owned.STACK + "=" + broker))
                .isEmpty();
    }

    /**
     * Without --data: the job is suspended, load and store are gone, and the next up goes on with all of it, also after one that was
     * killed half-way.
     */
    private static void goesAndComes(String broker, String namespace) throws IOException {
        Ended down = millrace("down", broker);
        assertThat(down.code()).as(down.out()).isZero();
        assertThat(down.out())
                .contains("FlinkDeployment/job is told to stop with a savepoint", "stay, for data go with them");
        assertThat(names(namespace, "statefulsets", Owned.STACK + "=" + broker)).isEmpty();
        assertThat(text(namespace, "flinkdeployment", "job", ".spec.job.state")).isEqualTo("suspended");
        assertThat(down.out()).contains(" volumes and their Secrets stay: up goes on from them");
        // By its volumes it is found, too.
        Ended again = cluster.millrace(BOUND, "down");
        assertThat(again.code()).as(again.out()).isZero();
        assertThat(again.out())
                .contains("is down already. FlinkDeployment/job", " --broker " + broker + " --data")
                .doesNotContain("is told to stop");
        Ended small = millrace("up", broker);
        assertThat(small.code()).as(small.out()).isEqualTo(2);
        assertThat(small.out()).contains("there is what is left of a stack of size " + ClusterStack.PRODUCTION);
        Ended status = millrace("status", broker);
        assertThat(status.out()).contains("down; what data are bound to is there", "FlinkDeployment/job");
        // Without room for a pod the store cannot become ready before the kill has arrived.
        apply(noPods(namespace));
        String interrupted = cluster.millraceUntil("\n  store\n", BOUND, arguments("up", broker, upOptions()));
        assertThat(interrupted).contains("\n  store\n").doesNotContain("\n  job\n");
        assertThat(text(namespace, "flinkdeployment", "job", ".spec.job.state")).isEqualTo("suspended");
        client.resourceQuotas().inNamespace(namespace).withName(NO_PODS).delete();
        assertThat(comesUpAgain(broker).out())
                .contains("spec.job.state: suspended -> running", "spec.job.parallelism: 32 -> 64");
        assertThat(comesUpAgain(broker, "--dry-run").out()).contains("objects are as they should be");
    }

    /** The order is that of the stages; a second time nothing is to be done. */
    private static void comesUp(String broker, Needs needs, String namespace) throws IOException {
        Ended up = comesUpAgain(broker);
        assertThat(up.out())
                .contains("+ CustomResourceDefinition/flinkdeployments.flink.apache.org", "  as found: Deployment/");
        List<Integer> places = new ArrayList<>();
        for (String stage : Needs.STAGES) {
            boolean isThere = needs.own().stream().anyMatch(kind -> stage.equals(kind.stage()))
                    || needs.workloads().stream().anyMatch(one -> stage.equals(one.stage()));
            if (isThere) {
                assertThat(up.out()).contains("\n  " + stage + "\n");
                places.add(up.out().indexOf("\n  " + stage + "\n"));
            }
        }
        assertThat(places).hasSizeGreaterThan(2).isSorted();
        assertThat(text(namespace, "flinkdeployment", "job", ".spec.image")).isEqualTo("registry.example/millrace:1");
        assertThat(text(namespace, "flinkdeployment", "job", ".spec.flinkConfiguration"))
                .contains("s3://" + BUCKET + "/" + namespace + "/savepoints")
                .doesNotContain(FlinkJob.NO_BUCKET);
        assertThat(text(namespace, "configmap", "job", ".data"))
                .contains("s3://" + BUCKET + "/" + namespace + "/checkpoints");
        Ended again = comesUpAgain(broker, "--dry-run");
        assertThat(again.out()).contains("objects are as they should be").doesNotContain("  ~ ", "  + ");
        List<String> withRate = new ArrayList<>(upOptions());
        withRate.addAll(List.of("--rate", "900000", "--broker-nodes", "3"));
        Ended sized = millrace("up", broker, withRate.toArray(String[]::new));
        assertThat(sized.code()).as(sized.out()).isEqualTo(3);
        assertThat(sized.out())
                .contains("  cores for the job ", "All machines together: ", "  ~ FlinkDeployment/job")
                .contains("spec.job.parallelism: 64 -> ")
                .contains("nothing was made", "data are made with other settings: devices: 1000000 -> ")
                .contains("partitions 128 -> ");
        Ended own = comesUpAgain(broker, "--dry-run", "--kustomization", ownKustomization(broker, namespace));
        assertThat(own.out()).contains("  ~ ConfigMap/stack", "  ~ StatefulSet/generator", "Nothing was done");
    }

    /** As the README has it, with another rate. */
    private static String ownKustomization(String broker, String namespace) throws IOException {
        Path folder = Files.createDirectories(work.resolve("own"));
        Path given = Needs.folder(INSTALLATION, broker);
        Files.writeString(
                folder.resolve("stack.properties"),
                Files.readString(given.resolve("stack.properties")).replace("rate=1000000", "rate=900000"));
        Files.writeString(
                folder.resolve("kustomization.yaml"),
                begin(broker, folder)
                        + "configMapGenerator:\n  - name: stack\n    namespace: " + namespace
                        + "\n    behavior: merge\n    files: [stack.properties]\n"
                        + "    options: {disableNameSuffixHash: true}\n");
        return folder.toString();
    }

    /** What a kustomization in a folder stands on: the broker's, of a class of durability where that is a component. */
    private static String begin(String broker, Path folder) throws IOException {
        Path given = Needs.folder(INSTALLATION, broker);
        Path relative = folder.toRealPath().relativize(given.toRealPath());
        return "resources: [" + relative + "]\n"
                + (Files.exists(given.resolve("durability/matched/kustomization.yaml"))
                        ? "components: [" + relative + "/durability/matched]\n"
                        : "");
    }

    /** More TaskManagers than nodes, and more servers: said before the job is stopped for it, and nothing is changed. */
    private static void hasNoRoomFor(String broker, Needs needs) throws IOException {
        Path folder = Files.createDirectories(work.resolve("large"));
        StringBuilder text = new StringBuilder(begin(broker, folder));
        text.append("patches:\n").append(operation(FlinkJob.KIND, "/spec/job/parallelism", 128));
        List<Needs.PodsOf> growing =
                needs.pods().stream().filter(pods -> pods.grown() != null).toList();
        growing.forEach(pods -> text.append(operation(pods.kind(), "/spec/replicas", 4)));
        Files.writeString(folder.resolve("kustomization.yaml"), text);
        for (String dryRun : List.of("--dry-run", "")) {
            List<String> options = new ArrayList<>(upOptions());
            options.addAll(List.of("--kustomization", folder.toString()));
            options.add(dryRun);
            options.remove("");
            Ended up = millrace("up", broker, options.toArray(String[]::new));
            assertThat(up.code()).as(up.out()).isEqualTo(3);
            assertThat(up.out())
                    .contains("spec.job.parallelism: 64 -> 128", "nothing was made")
                    .contains("job's TaskManagers: 8 pods, now 4, want a node each with the label millrace/role=flink");
            assertThat(growing).isNotEmpty().allSatisfy(pods -> assertThat(up.out())
                    .contains(" goes from 3 to 4 pods: " + pods.grown())
                    .containsPattern(pods.kind() + "/[a-z]+: 4 pods, now 3, want a node each"));
        }
        assertThat(text("millrace-" + broker, "flinkdeployment", "job", ".spec.job.parallelism"))
                .isEqualTo("64");
    }

    private static String operation(String kind, String path, int value) {
        return "  - target: {kind: " + kind + "}\n    patch: |-\n      - {op: replace, path: " + path + ", value: "
                + value + "}\n";
    }

    private static Ended comesUpAgain(String broker, String... more) {
        List<String> options = new ArrayList<>(upOptions());
        options.addAll(List.of(more));
        Ended up = millrace("up", broker, options.toArray(String[]::new));
        assertThat(up.code()).as(up.out()).isZero();
        return up;
    }

    private static List<String> upOptions() {
        return List.of(
                "--size",
                ClusterStack.PRODUCTION,
                "--image",
                "registry.example/millrace:1",
                "--bucket",
                BUCKET,
                "--flink-role",
                "arn:aws:iam::123456789012:role/flink",
                "--crds",
                work.resolve("flink").toString());
    }

    /** What somebody else has installed, and uses, already; gives the commands that find what must stay. */
    private static List<String> install(String broker, Needs needs, String namespace) throws IOException {
        List<String> foreign = new ArrayList<>();
        Path schemas = cluster.root().resolve("brokers/" + broker + "/src/test/resources/c5-i7i");
        try (Stream<Path> files = Files.list(schemas)) {
            files.filter(file -> file.toString().endsWith(".crd.json"))
                    .forEach(file -> done("apply", "--server-side", "-f", file.toString()));
        }
        for (Needs.Definition one : needs.definitions()) {
            if (one.stage() == null) {
                apply(anyDefinition(one));
            }
        }
        done("create", "namespace", namespace);
        for (Needs.Installed one : needs.installed()) {
            String place = one.beside() ? namespace : "others";
            for (String name : one.names()) {
                apply(standIn(one, name, place));
                done("-n", place, "rollout", "status", one.kind() + "/" + name, "--timeout=60s");
                foreign.add("get -n " + place + " " + one.kind() + "/" + name);
            }
        }
        for (Needs.Definition one : needs.definitions()) {
            foreign.add("get crd " + one.name());
        }
        foreign.remove("get crd flinkdeployments.flink.apache.org");
        for (Needs.Definition one : needs.own()) {
            if (!one.kind().equals(FlinkJob.KIND)) {
                for (String place : List.of("others", namespace)) {
                    apply("apiVersion: " + one.name().substring(one.name().indexOf('.') + 1) + "/" + one.version()
                            + "\nkind: " + one.kind() + "\nmetadata: {name: foreign, namespace: " + place + "}\n"
                            + spec(broker, one.kind()));
                    foreign.add("get -n " + place + " " + one.name() + "/foreign");
                }
            }
        }
        return foreign;
    }

    /** Of the stack's own object of a kind. */
    private static String spec(String broker, String kind) throws IOException {
        try (Stream<Path> files = Files.list(Needs.folder(INSTALLATION, broker))) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".yaml")).toList()) {
                for (String document : Files.readString(file).split("(?m)^---$")) {
                    if (document.contains("\nkind: " + kind + "\n")) {
                        return document.substring(document.indexOf("\nspec:") + 1);
                    }
                }
            }
        }
        throw new AssertionError("no " + kind + " of " + broker);
    }

    private static String anyDefinition(Needs.Definition one) {
        String plural = one.name().substring(0, one.name().indexOf('.'));
        return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: " + one.name()
                + "}\nspec: {group: " + one.name().substring(plural.length() + 1)
                + ", scope: Namespaced, names: {plural: "
                + plural + ", kind: " + one.kind() + "}, versions: [{name: " + one.version()
                + ", served: true, storage: true, schema: {openAPIV3Schema: {type: object,"
                + " x-kubernetes-preserve-unknown-fields: true}}}]}\n";
    }

    private static String standIn(Needs.Installed one, String name, String namespace) {
        return "apiVersion: apps/v1\nkind: " + one.kind() + "\nmetadata: {name: " + name + ", namespace: " + namespace
                + "}\nspec:\n  replicas: 1\n" + (one.kind().equals("StatefulSet") ? "  serviceName: none\n" : "")
                + "  selector: {matchLabels: {pretended: " + name
                + "}}\n  template:\n    metadata:\n      labels: {pretended: "
                + name
                + "}\n      annotations: {millrace.dev/durability: matched}\n    spec: {containers: [{name: one, image: "
                + "pretended:" + one.tried() + "}]}\n";
    }

    /** What operators say, where pods and disks are, and the class that the objects name. */
    private static void isLookedAt(String broker, Needs needs) throws IOException {
        Ended status = millrace("status", broker, "--json");
        assertThat(status.code()).as(status.out()).isZero();
        JsonNode said = new ObjectMapper()
                .readTree(status.out().lines().reduce((first, last) -> last).orElseThrow());
        assertThat(said.path("size").asText()).isEqualTo(ClusterStack.PRODUCTION);
        assertThat(said.path("durability").asText()).isEqualTo("matched");
        assertThat(said.path("state").asText()).isEqualTo("running");
        assertThat(said.path("certificatesUntil").asText()).endsWith("Z");
        assertThat(said.path("objects")).hasSize((int)
                needs.own().stream().filter(kind -> kind.until() != null).count());
        assertThat(said.path("objects"))
                .allSatisfy(one -> assertThat(one.path("ready").asBoolean()).isTrue());
        assertThat(said.path("pods"))
                .hasSizeGreaterThanOrEqualTo(7)
                .allSatisfy(pod -> assertThat(pod.path("node").asText()).matches("(store|infra|load)-\\d"));
        assertThat(said.path("volumes")).hasSize(7).anySatisfy(one -> {
            assertThat(one.path("claim").asText()).isEqualTo("data-clickhouse-0");
            assertThat(one.path("node").asText()).startsWith("store-");
        });
        // No process runs in a pretended pod: what would be asked there is not known, and nothing hangs.
        assertThat(said.has("figures")).isTrue();
        assertThat(said.path("figures").isNull()).isTrue();
        Ended audit = millrace("audit", broker);
        assertThat(audit.code()).as(audit.out()).isEqualTo(3);
        assertThat(audit.out()).contains("generator-0");
    }

    private static void scales(String broker, String namespace) {
        Ended tooMany = millrace("scale", broker, "--parallelism", "128");
        assertThat(tooMany.code()).as(tooMany.out()).isEqualTo(3);
        assertThat(tooMany.out()).contains("takes 8 TaskManagers of 16 slots", "name at most 64");
        String before = text(namespace, "flinkdeployment", "job", ".spec.podTemplate.metadata.annotations");
        Ended scale = millrace("scale", broker, "--parallelism", "32");
        assertThat(scale.code()).as(scale.out()).isZero();
        assertThat(scale.out()).contains("from parallelism 64 to 32, from a savepoint", "FlinkDeployment/job is ready");
        assertThat(text(namespace, "flinkdeployment", "job", ".spec.job.parallelism"))
                .isEqualTo("32");
        assertThat(text(namespace, "configmap", "job", ".data")).contains("\\nparallelism=32\\n");
        assertThat(text(namespace, "flinkdeployment", "job", ".spec.podTemplate.metadata.annotations"))
                .isNotEqualTo(before);
    }

    /** As an operator makes them, with the labels of the object that they are for; and one that says nothing of it. */
    private static void claims(String broker, String namespace, Needs needs) throws IOException {
        for (String selector : needs.selectors()) {
            String[] label = selector.split("=");
            String claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: %s, namespace: " + namespace
                    + ", labels: {" + label[0] + ": " + label[1] + "%s}}\nspec: {accessModes: [ReadWriteOnce],"
                    + " storageClassName: gp3, resources: {requests: {storage: 1Gi}}}\n";
            apply(String.format(claim, "of-stack", ", " + Owned.STACK + ": " + broker));
            apply(String.format(claim, "of-somebody", ""));
        }
    }

    /** As Flink's operator makes one of a job that it stops: no label says whose it is. */
    private static String savepoint(String namespace, String job) {
        return "apiVersion: flink.apache.org/v1beta1\nkind: FlinkStateSnapshot\nmetadata: {name: of-" + job
                + ", namespace: " + namespace + "}\nspec: {jobReference: {kind: " + FlinkJob.KIND + ", name: " + job
                + "}, savepoint: {path: s3://some-bucket/savepoint, alreadyExists: true}}\n";
    }

    private static String noPods(String namespace) {
        return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: " + NO_PODS + ", namespace: " + namespace
                + "}\nspec: {hard: {pods: 0}}\n";
    }

    /** Somebody else has a job of this kind, and a savepoint beside ours: their definitions must not go. */
    private static void refused(String broker) throws IOException {
        String namespace = "millrace-" + broker;
        apply(savepoint(namespace, "theirs"));
        apply("apiVersion: " + FlinkJob.VERSION + "\nkind: " + FlinkJob.KIND
                + "\nmetadata: {name: theirs, namespace: others}\nspec: {flinkVersion: v1_20}\n");
        Ended refused = millrace("down", broker, "--data", "--crds");
        assertThat(refused.code()).as(refused.out()).isEqualTo(2);
        assertThat(refused.out())
                .contains(
                        "nothing was removed",
                        "flinkdeployments.flink.apache.org has others/theirs",
                        "flinkstatesnapshots.flink.apache.org has " + namespace + "/of-theirs")
                .doesNotContain("of-job");
        assertThat(text(namespace, "flinkdeployment", "job", ".spec.job.state")).isEqualTo("running");
        done("-n", "others", "delete", "flinkdeployment", "theirs");
        done("-n", namespace, "delete", "flinkstatesnapshot", "of-theirs");
    }

    private static String text(String namespace, String kind, String name, String path) {
        return cluster.kubectl("-n", namespace, "get", kind, name, "-o", "jsonpath={" + path + "}")
                .out()
                .strip();
    }

    private static List<String> names(String namespace, String kinds, String selector) {
        return cluster.kubectl("-n", namespace, "get", kinds, "-l", selector, "-o", "name")
                .out()
                .lines()
                .filter(line -> line.contains("/"))
                .toList();
    }

    private static Ended millrace(String verb, String broker, String... more) {
        return cluster.millrace(BOUND, arguments(verb, broker, List.of(more)));
    }

    private static String[] arguments(String verb, String broker, List<String> more) {
        List<String> all = new ArrayList<>(List.of(verb, "--broker", broker));
        all.addAll(more);
        if (verb.equals("up")) {
            all.addAll(List.of("--run-dir", work.resolve("run").toString()));
        }
        return all.toArray(String[]::new);
    }

    private static void apply(String document) throws IOException {
        Path file = Files.writeString(work.resolve("object.yaml"), document);
        done("apply", "--server-side", "-f", file.toString());
    }

    private static void done(String... arguments) {
        Ended ended = cluster.kubectl(arguments);
        assertThat(ended.code())
                .as(String.join(" ", arguments) + ": " + ended.out())
                .isZero();
    }
}
