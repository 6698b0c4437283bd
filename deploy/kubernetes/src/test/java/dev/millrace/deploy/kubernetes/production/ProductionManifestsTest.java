package dev.millrace.deploy.kubernetes.production;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.kubernetes.WithKubectl;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import dev.millrace.deploy.local.Installation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code up} writes on top of files, as kustomize makes objects of it; skipped where there is no kubectl. */
class ProductionManifestsTest {
    private static final Installation INSTALLATION = Installation.here();

    @TempDir
    private Path folder;

    static List<String> brokers() {
        return INSTALLATION.brokers().stream()
                .filter(broker -> Needs.find(INSTALLATION, broker).isPresent())
                .toList();
    }

    private static List<GenericKubernetesResource> objects(ProductionManifests manifests) {
        return WithKubectl.ask(kubectl -> manifests.objects(kubectl, Instant.EPOCH));
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @DisplayName("in a namespace of another name the alerts look there, and all else is there, too")
    void namespace(String broker) throws IOException {
        Path given = Needs.folder(INSTALLATION, broker);
        Path own = Files.createDirectories(folder.resolve("own"));
        Path relative = own.toRealPath().relativize(given.toRealPath());
        Files.writeString(
                own.resolve("kustomization.yaml"),
                "resources: [" + relative + "]\ncomponents: [" + relative + "/monitoring]\n");
        ProductionManifests.Given named = new ProductionManifests.Given(
                Optional.of(own),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        // Nothing is asked of a cluster for it.
        ClusterStack stack = new ClusterStack(null, "sensors", broker);
        List<GenericKubernetesResource> objects =
                objects(new ProductionManifests(stack, given, folder.resolve("written"), named));
        assertThat(objects).allSatisfy(object -> assertThat(object.getMetadata().getNamespace())
                .as(Owned.name(object))
                .isEqualTo("sensors"));
        List<GenericKubernetesResource> rules = objects.stream()
                .filter(object -> object.getKind().equals(AlertScope.KIND))
                .toList();
        assertThat(rules).extracting(Owned::name).contains("PrometheusRule/machines", "PrometheusRule/pipeline");
        assertThat(rules).allSatisfy(rule -> assertThat(Fields.text(rule, "spec"))
                .as(Owned.name(rule))
                .doesNotContain("namespace=~"));
        assertThat(rules)
                .filteredOn(rule -> rule.getMetadata().getName().equals("machines"))
                .singleElement()
                .satisfies(rule -> assertThat(Fields.text(rule, "spec"))
                        .contains("kube_pod_status_phase{namespace=\"sensors\",phase=\"Pending\"}")
                        .contains("kubelet_volume_stats_used_bytes{namespace=\"sensors\"}\n"));
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @DisplayName("in a bucket each namespace has a folder of its own, the same for Flink and for the job's settings")
    void bucket(String broker) {
        ProductionManifests.Given named = new ProductionManifests.Given(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of("some-bucket"),
                Optional.empty());
        ClusterStack stack = new ClusterStack(null, "sensors", broker);
        List<GenericKubernetesResource> objects = objects(
                new ProductionManifests(stack, Needs.folder(INSTALLATION, broker), folder.resolve("written"), named));

        GenericKubernetesResource job = FlinkJob.of(objects).orElseThrow();
        assertThat(FlinkJob.places(job))
                .containsEntry("state.checkpoints.dir", "s3://some-bucket/sensors/checkpoints")
                .allSatisfy((key, place) -> assertThat(place).as(key).startsWith("s3://some-bucket/sensors/"));
        assertThat(objects)
                .filteredOn(object -> object.getKind().equals("ConfigMap")
                        && object.getMetadata().getName().equals("job"))
                .singleElement()
                .satisfies(map -> assertThat(Fields.text(map, "data"))
                        .contains("\ncheckpoint-directory=s3://some-bucket/sensors/checkpoints\n"));
    }
}
