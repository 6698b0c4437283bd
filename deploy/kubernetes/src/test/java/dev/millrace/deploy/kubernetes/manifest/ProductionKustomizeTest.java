package dev.millrace.deploy.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What kustomize makes of the production shape, as it is applied: all parts joined, with the class of durability on top. */
class ProductionKustomizeTest {
    private static final Production PRODUCTION = Production.ofClone();
    private static final Path TARGET = Manifests.ROOT.resolve("deploy/kubernetes/target");

    /** BROKER/CLASS; only brokers whose servers kustomize has to do with have components. */
    static Stream<String> stacks() {
        return PRODUCTION.brokers().stream()
                .flatMap(broker -> Stream.of("matched", "vendor-default").map(durability -> broker + "/" + durability));
    }

    static List<Manifest> joined(String broker, String durability) throws Exception {
        return joined(broker, durability, false);
    }

    private static List<Manifest> joined(String broker, String durability, boolean isMonitored) throws Exception {
        Path folder = Files.createTempDirectory(Files.createDirectories(TARGET), "stack-");
        try {
            String up = "../../../../" + Production.folder(broker);
            Path component = Manifests.ROOT.resolve(Production.folder(broker) + "/durability/" + durability);
            boolean isComponent = Files.exists(component.resolve(Manifests.KUSTOMIZATION));
            List<String> components = new ArrayList<>();
            if (isComponent) {
                components.add(up + "/durability/" + durability);
            }
            if (isMonitored) {
                components.add(up + Production.MONITORING);
            }
            Files.writeString(
                    folder.resolve(Manifests.KUSTOMIZATION),
                    "resources: [" + up + "]\ncomponents: " + components + "\n");
            return KustomizeTest.kustomize(Manifests.ROOT.relativize(folder).toString());
        } finally {
            Files.delete(folder.resolve(Manifests.KUSTOMIZATION));
            Files.delete(folder);
        }
    }

    @ParameterizedTest
    @MethodSource("stacks")
    @DisplayName(
            "the joined objects fit their schemas, each in the broker's namespace, and what is taken over is there")
    void fits(String stack) throws Exception {
        String broker = stack.split("/")[0];
        List<Manifest> objects = joined(broker, stack.split("/")[1]);
        List<Finding> found = new ArrayList<>();
        objects.forEach(object -> found.addAll(ProductionCheck.alone(PRODUCTION, object)));
        assertThat(found).isEmpty();
        assertThat(objects).allSatisfy(object -> assertThat(object.object().text("metadata.namespace"))
                .isEqualTo("millrace-" + broker));
        assertThat(objects)
                .extracting(Manifest::id)
                .contains("StatefulSet/generator", "ServiceAccount/millrace", "NetworkPolicy/nothing-else")
                .contains("FlinkDeployment/job", "StatefulSet/clickhouse", "StatefulSet/keeper")
                .doesNotContain("StatefulSet/jobmanager", "Deployment/taskmanager", "StatefulSet/store");
    }

    @ParameterizedTest
    @MethodSource("stacks")
    @DisplayName(
            "the volume with the broker's secrets is in the pods that mount it, and they prepare in the right order")
    void secrets(String stack) throws Exception {
        for (Manifest object : joined(stack.split("/")[0], stack.split("/")[1])) {
            String pod =
                    switch (object.id()) {
                        case "FlinkDeployment/job" -> "spec.podTemplate.spec";
                        case "StatefulSet/generator" -> "spec.template.spec";
                        default -> "";
                    };
            if (!pod.isEmpty()) {
                assertThat(object.object().items(pod + ".volumes"))
                        .filteredOn(volume -> volume.is("name", "broker-secret"))
                        .singleElement()
                        .satisfies(volume ->
                                assertThat(volume.items("projected.sources")).hasSize(2));
                assertThat(object.object().items(pod + ".initContainers"))
                        .extracting(container -> container.text("name"))
                        .isIn(List.of("prepare"), List.of("join", "prepare"));
            }
        }
    }

    static List<String> brokers() {
        return PRODUCTION.brokers();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @DisplayName(
            "with the component of monitoring there are rules, pages and dashboards beside the rest, which is as it was")
    void monitored(String broker) throws Exception {
        List<String> without =
                joined(broker, "matched").stream().map(Manifest::id).toList();
        List<Manifest> objects = joined(broker, "matched", true);
        List<Finding> found = new ArrayList<>();
        objects.forEach(object -> found.addAll(ProductionCheck.alone(PRODUCTION, object)));
        assertThat(found).isEmpty();
        assertThat(objects).allSatisfy(object -> assertThat(object.object().text("metadata.namespace"))
                .isEqualTo("millrace-" + broker));
        assertThat(objects).extracting(Manifest::id).containsAll(without);
        List<String> added = new ArrayList<>(objects.stream().map(Manifest::id).toList());
        added.removeAll(without);
        assertThat(added)
                .contains("PrometheusRule/pipeline", "PrometheusRule/machines", "PrometheusRule/" + broker)
                .contains("PodMonitor/flink", "PodMonitor/generator", "PodMonitor/clickhouse")
                .contains("ConfigMap/pipeline-dashboard", "ConfigMap/" + broker + "-dashboard")
                .allMatch(id -> id.matches("(PrometheusRule|PodMonitor|ConfigMap|NetworkPolicy)/.*"));
        assertThat(objects)
                .filteredOn(object -> object.id().endsWith("-dashboard"))
                .hasSize(2)
                .allSatisfy(map ->
                        assertThat(map.object().texts("metadata.labels")).containsEntry("grafana_dashboard", "1"));
    }

    @Test
    @DisplayName("what belongs to the cluster is made of its own kustomization")
    void cluster() throws Exception {
        assertThat(KustomizeTest.kustomize(Production.CLUSTER))
                .extracting(Manifest::id)
                .containsExactlyInAnyOrder("StorageClass/gp3", "StorageClass/gp3-state", "StorageClass/local-nvme");
    }
}
