package dev.millrace.deploy.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.job.TaskBuffers;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.sizing.Derivation;
import dev.millrace.deploy.sizing.MeasuredRates;
import dev.millrace.deploy.sizing.Overlay;
import dev.millrace.deploy.sizing.Shape;
import dev.millrace.deploy.sizing.SizeRequest;
import dev.millrace.deploy.sizing.SizingFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code millrace size --write} writes is held against what the production shape's own files are held against. */
class SizedProductionTest {
    private static final Production PRODUCTION = Production.ofClone();
    private static final Schemas SCHEMAS = Schemas.ofClone();
    private static final long BOUND_SECONDS = 30;
    private static final Path TARGET = Manifests.ROOT.resolve("deploy/kubernetes/target");

    /** BROKER/RATE/NODES. */
    static Stream<String> sizes() {
        return PRODUCTION.brokers().stream()
                .flatMap(broker -> Stream.of("1000/3", "250000/3", "1000000/6").map(size -> broker + "/" + size));
    }

    private static Derivation derivation(String size) {
        String[] parts = size.split("/");
        MeasuredRates rates = SizingFile.read(Manifests.ROOT.resolve(SizingFile.PLACE))
                .of(parts[0])
                .orElseThrow();
        return Derivation.of(SizeRequest.checked(SizeRequest.SIZE, parts[1], parts[2], SizeRequest.UTILISATION), rates);
    }

    private static Overlay overlay(String size) {
        return Overlay.of(derivation(size), Manifests.ROOT, TARGET.resolve("sized"));
    }

    @Test
    @DisplayName("the shape is that of the manifests")
    void shape() {
        Shape shape = Shape.C5_I7I;
        Field flink = PRODUCTION
                .in(Production.NEUTRAL + "/flink.yaml")
                .filter(one -> one.kind().equals("FlinkDeployment"))
                .findFirst()
                .orElseThrow()
                .object();
        Map<String, Field> configuration = flink.fields("spec.flinkConfiguration");
        assertThat(flink.text("spec.taskManager.resource.cpu")).isEqualTo(shape.taskManagerCpu() + "");
        assertThat(configuration.get("taskmanager.numberOfTaskSlots").text()).isEqualTo(shape.slots() + "");
        assertThat(configuration.get("pipeline.max-parallelism").text()).isEqualTo(shape.keyGroups() + "");
        // 2 GiB have room for that, whatever the shape.
        TaskBuffers.settings(2L << 30, shape.slots())
                .forEach((name, value) ->
                        assertThat(configuration.get(name).text()).as(name).isEqualTo(value));
        Field generator = PRODUCTION
                .in(Production.NEUTRAL + "/generator.yaml")
                .findFirst()
                .orElseThrow()
                .object();
        assertThat(generator.items("spec.template.spec.containers").get(0).text("resources.requests.cpu"))
                .isEqualTo(shape.generatorCpu() + "");
        for (String broker : PRODUCTION.brokers()) {
            String stack = Manifests.read(Manifests.ROOT.resolve(Production.folder(broker) + "/stack.properties"));
            assertThat(stack).contains("replicas=" + shape.replicas() + "\n");
            List<BrokerPods> onDisks = BrokerPods.of(PRODUCTION, broker).stream()
                    .filter(pods -> pods.cpuMillis() >= 10_000)
                    .toList();
            assertThat(onDisks).isNotEmpty().allSatisfy(pods -> assertThat(pods.replicas())
                    .isEqualTo(shape.brokerNodes().get(0)));
            assertThat(onDisks.stream().mapToLong(BrokerPods::cpuMillis).sum())
                    .isEqualTo(shape.brokerCpuPerNode() * 1000L);
            assertThat(onDisks.stream()
                            .flatMap(pods -> pods.claims().stream())
                            .filter(claim -> claim.storageClass().equals("local-nvme"))
                            .map(claim -> Formats.bytes(claim.size())))
                    .hasSize(2)
                    .containsOnly(shape.diskBytes());
        }
        String terraform = Manifests.read(Manifests.ROOT.resolve("deploy/infrastructure/aws/variables.tf"));
        shape.groups(3, 4, 4).forEach(group -> assertThat(terraform)
                .containsPattern(
                        group.name() + " +=\\s*\\{ type = \"" + group.type() + "\", nodes = " + group.nodes()));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    @DisplayName("kustomize joins it, the objects fit their schemas, and each figure is where it belongs")
    void joined(String size) throws Exception {
        Derivation derived = derivation(size);
        Path folder = Files.createTempDirectory(Files.createDirectories(TARGET), "sized-");
        List<Manifest> objects;
        try {
            Overlay.of(derived, Manifests.ROOT, folder).write(folder);
            objects = KustomizeTest.kustomize(Manifests.ROOT.relativize(folder).toString());
        } finally {
            Folders.delete(folder);
        }
        List<Finding> found = new ArrayList<>();
        objects.forEach(object -> found.addAll(ProductionCheck.alone(PRODUCTION, object)));
        assertThat(found).isEmpty();
        assertThat(text(objects, "FlinkDeployment/job", "spec.job.parallelism")).isEqualTo(derived.parallelism() + "");
        assertThat(text(objects, "StatefulSet/generator", "spec.replicas")).isEqualTo(derived.generators() + "");
        Field generator = object(objects, "StatefulSet/generator");
        Field join = generator.items("spec.template.spec.initContainers").get(0);
        assertThat(join.text("name")).isEqualTo("join");
        assertThat(join.items("env"))
                .extracting(env -> env.text("name") + "=" + env.text("value"))
                .contains("SETTINGS=/etc/given", "GENERATORS=" + derived.generators());
        assertThat(object(objects, "ConfigMap/stack")
                        .fields("data")
                        .get("stack.properties")
                        .text())
                .contains("partitions=" + derived.partitions() + "\n");
        assertThat(object(objects, "ConfigMap/job").fields("data").keySet()).contains("job.properties", "prepare.sh");
    }

    private static Field object(List<Manifest> objects, String id) {
        return objects.stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow()
                .object();
    }

    private static String text(List<Manifest> objects, String id, String path) {
        return object(objects, id).text(path);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    @DisplayName("the rules of settings hold for it, too, as job and generator bind them")
    void settings(String size) {
        String broker = size.split("/")[0];
        Map<String, String> files = overlay(size).files();
        Manifests sized = PRODUCTION
                .files()
                .with(SettingsFile.of(Production.folder(broker) + "/stack.properties", files.get("stack.properties")))
                .with(SettingsFile.of(Production.NEUTRAL + "/job.properties", files.get("job.properties")));
        int parallelism = derivation(size).parallelism();
        List<Finding> found = new ArrayList<>();
        new JobRule().check(new Production(sized), found::add);
        // Of the other broker's files, and of the object that a patch of the overlay changes, the parallelism is
        // another now.
        found.removeIf(finding ->
                finding.file().startsWith("brokers/") && !finding.file().contains("/" + broker + "/"));
        found.removeIf(finding -> finding.field().equals("spec.job.parallelism")
                && finding.sentence().equals("it must be '" + parallelism + "'"));
        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("sizes")
    @DisplayName("values for a chart fit their schema, and no word is left in any file")
    void values(String size) {
        Map<String, String> files = overlay(size).files();
        assertThat(files.values()).noneMatch(text -> text.contains("${"));
        String values = files.get(Overlay.FOR_CHART);
        // The one broker has objects, the other a chart: never neither.
        assertThat(values != null || files.containsKey("topic.yaml")).isTrue();
        if (values != null) {
            List<Finding> found = new ArrayList<>();
            SCHEMAS.of(Overlay.FOR_CHART)
                    .orElseThrow()
                    .check(
                            new Manifest(
                                            Overlay.FOR_CHART,
                                            YamlText.documents(values).get(0))
                                    .object(),
                            false,
                            found::add);
            assertThat(found).isEmpty();
            assertThat(values).contains("replicaCount: " + size.split("/")[2]);
        }
    }

    @Test
    @DisplayName(
            "of several generators each has its part of rates and devices, and devices of its own; together they have all")
    void generators(@TempDir Path folder) throws Exception {
        Path given = Files.createDirectories(folder.resolve("given"));
        Files.writeString(
                given.resolve("stack.properties"),
                "broker=north\nrate=1000001\nshape-rate=2000002\ndevices=1000000\nseed=7\n");
        Files.writeString(given.resolve("broker.properties"), "address=here:1\n");
        long rate = 0;
        long shapeRate = 0;
        long devices = 0;
        for (int pod = 0; pod < 3; pod++) {
            Map<String, String> told = prepared(given, folder, "generator-" + pod, "3");
            rate += Long.parseLong(told.get("rate"));
            shapeRate += Long.parseLong(told.get("shape-rate"));
            assertThat(told)
                    .containsEntry("first-device", devices + "")
                    .containsEntry("all-devices", "1000000")
                    .containsEntry("seed", "7")
                    .containsEntry("broker", "north");
            devices += Long.parseLong(told.get("devices"));
            assertThat(Long.parseLong(told.get("rate"))).isBetween(333_333L, 333_334L);
        }
        assertThat(rate).isEqualTo(1_000_001);
        assertThat(shapeRate).isEqualTo(2_000_002);
        assertThat(devices).isEqualTo(1_000_000);
        assertThat(prepared(given, folder, "generator-0", "1"))
                .containsEntry("rate", "1000001")
                .containsEntry("shape-rate", "2000002")
                .containsEntry("seed", "7");
        Files.writeString(given.resolve("stack.properties"), "broker=north\nrate=10\ndevices=10\n");
        assertThat(prepared(given, folder, "generator-1", "3")).doesNotContainKey("shape-rate");
    }

    private static Map<String, String> prepared(Path given, Path folder, String pod, String generators)
            throws Exception {
        Path out = Files.createTempDirectory(folder, "out-");
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        Manifests.ROOT
                                .resolve(Production.NEUTRAL + "/prepare.sh")
                                .toString(),
                        out.toString())
                .inheritIO();
        builder.environment()
                .putAll(Map.of(
                        "HOSTNAME",
                        pod,
                        "GENERATORS",
                        generators,
                        "SETTINGS",
                        given.toString(),
                        "SECRETS",
                        folder.resolve("none").toString()));
        Process process = builder.start();
        assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return SettingsFile.of("stack.properties", Manifests.read(out.resolve("stack.properties")))
                .values();
    }
}
