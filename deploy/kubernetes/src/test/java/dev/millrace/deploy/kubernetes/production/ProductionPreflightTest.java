package dev.millrace.deploy.kubernetes.production;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.LoopbackCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What of other stacks, or of its own settings, stands in the way of a stack; what a cluster lacks is ProductionVerbsTest's. */
class ProductionPreflightTest {
    private static final String JOBS = "flinkdeployments";
    private static final Needs NEEDS = new Needs(
            List.of(new Needs.Definition(
                    JOBS + ".flink.apache.org", "v1beta1", FlinkJob.KIND, "job", null, true, null, null)),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    private static final ProductionManifests.Given GIVEN = new ProductionManifests.Given(
            Optional.of(Path.of("own")),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    private LoopbackCluster there;

    @BeforeEach
    void start() throws IOException {
        there = new LoopbackCluster();
    }

    @AfterEach
    void stop() {
        there.close();
    }

    private static String job(String namespace, String name, String place) {
        return """
                apiVersion: %s
                kind: %s
                metadata: {name: %s, namespace: %s}
                spec:
                  image: some
                  flinkConfiguration: {high-availability.storageDir: "%s"}
                """
                .formatted(FlinkJob.VERSION, FlinkJob.KIND, name, namespace, place);
    }

    private static String map(String name, String setting) {
        return """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: %s, namespace: here}
                data:
                  %s.properties: |
                    %s
                """
                .formatted(name, name, setting);
    }

    private List<String> problems(String place, String... settings) {
        ClusterStack stack = new ClusterStack(there.cluster(), "here", "north");
        ProductionPreflight preflight = new ProductionPreflight(stack, NEEDS, GIVEN, Path.of("overlay"));
        GenericKubernetesResource job =
                Serialization.unmarshal(job("here", FlinkJob.NAME, place), GenericKubernetesResource.class);
        List<GenericKubernetesResource> objects = new ArrayList<>(List.of(job));
        for (String map : settings) {
            objects.add(Serialization.unmarshal(map, GenericKubernetesResource.class));
        }
        preflight.look(objects, List.of());
        return preflight.problems();
    }

    @Test
    @DisplayName("a job's leadership is not kept where that of another namespace's job is")
    void leadership() {
        there.with(JOBS, job("sensors", FlinkJob.NAME, "s3://some/ha/"))
                .with(JOBS, job("here", FlinkJob.NAME, "s3://some/own"))
                .with(JOBS, job("elsewhere", "of-somebody", "s3://some/other"));
        assertThat(problems("s3://some/ha"))
                .singleElement()
                .asString()
                .startsWith(
                        "high-availability.storageDir s3://some/ha is that of the job in namespace sensors, too, and ")
                .contains("--bucket NAME");
        assertThat(problems("s3://some/ha/here")).isEmpty();
        assertThat(problems("s3://some/own")).as("its own").isEmpty();
        assertThat(problems("s3://some/other")).as("of a job of another name").isEmpty();
    }

    @Test
    @DisplayName("who may not see other namespaces, and a cluster without such jobs, is not told of them")
    void unseen() {
        assertThat(problems("s3://some/ha"))
                .singleElement()
                .asString()
                .startsWith("there is no CustomResourceDefinition " + JOBS);
        there.with(JOBS, job("sensors", FlinkJob.NAME, "s3://some/ha")).forbidEverywhere(JOBS);
        assertThat(problems("s3://some/ha")).isEmpty();
    }

    @Test
    @DisplayName("the job and those that look at it are told the same window")
    void toldAlike() {
        there.with(JOBS, job("here", FlinkJob.NAME, "s3://some/own"));
        assertThat(problems("s3://some/own", map("stack", "window=10s"), map("job", "window=10000ms")))
                .isEmpty();
        assertThat(problems("s3://some/own", map("stack", "window=10s"), map("job", "window=60s")))
                .singleElement()
                .asString()
                .startsWith("stack.properties has window=10s and job.properties has window=60s;");
    }
}
