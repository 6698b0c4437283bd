package dev.millrace.perf.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.kubernetes.cluster.LoopbackCluster;
import dev.millrace.deploy.kubernetes.image.BaseImage;
import dev.millrace.deploy.kubernetes.stack.ClusterLauncher;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.Turn;
import dev.millrace.perf.scenario.ScenarioFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A run on a cluster")
class ClusterRunsTest {
    @TempDir
    Path results;

    private LoopbackCluster there;

    @BeforeEach
    void start() throws IOException {
        there = new LoopbackCluster();
    }

    @AfterEach
    void stop() {
        there.close();
    }

    private Run run() {
        Path scenario = Path.of(System.getProperty("millrace.root"))
                .resolve("perf/scenarios")
                .resolve("quick.yaml");
        ClusterGround ground = new ClusterGround(
                Installation.here(),
                ScenarioFile.load(scenario),
                scenario,
                Map.of(),
                results,
                there.cluster(),
                "here",
                new ClusterLauncher.Manner(false, false, BaseImage.of(BaseImage.DEFAULT), Optional.empty()),
                new PrintWriter(Writer.nullWriter()));
        Turn turn = new Turn("02-north", "north", 1, 2, 6, OptionalLong.empty(), null);
        return new ClusterRuns(ground, results, new Interruption(), words -> {}).run(turn);
    }

    private void add(String plural, String version, String kind, String name) {
        there.with(
                plural,
                "apiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: " + name
                        + ", namespace: here, labels: {app.kubernetes.io/managed-by: millrace, millrace.dev/stack: north,"
                        + " app.kubernetes.io/name: " + name + "}}\n");
    }

    @Test
    @DisplayName("that meets a stack which a person has put there meanwhile is not made, and removes nothing of it")
    void personsStack() {
        add("statefulsets", "apps/v1", "StatefulSet", "jobmanager");
        add("statefulsets", "apps/v1", "StatefulSet", "generator");
        add("persistentvolumeclaims", "v1", "PersistentVolumeClaim", "data-store-0");
        assertThat(run().reasons()).singleElement().asString().contains("there is a stack (north)");
        assertThat(there.deleted()).isEmpty();
    }

    @Test
    @DisplayName("that meets volumes which a person has left there meanwhile is not made, and removes none")
    void personsVolumes() {
        add("persistentvolumeclaims", "v1", "PersistentVolumeClaim", "data-store-0");
        assertThat(run().reasons()).singleElement().asString().contains("there are volumes of a stack (north)");
        assertThat(there.deleted()).isEmpty();
    }
}
