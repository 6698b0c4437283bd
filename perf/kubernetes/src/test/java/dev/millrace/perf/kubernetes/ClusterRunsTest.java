package dev.millrace.perf.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.kubernetes.cluster.LoopbackCluster;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.Turn;
import java.io.IOException;
import java.nio.file.Path;
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

    private ClusterGround ground() {
        return LoopbackGround.of(there, LoopbackGround.scenario("quick"));
    }

    private Run run(ClusterGround ground) {
        Turn turn = new Turn("02-north", "north", 1, 2, 6, OptionalLong.empty(), null);
        return new ClusterRuns(ground, results, new Interruption(), words -> {}).run(turn);
    }

    private void add(String plural, String version, String kind, String name) {
        LoopbackGround.add(there, plural, version, kind, name);
    }

    @Test
    @DisplayName("that meets a stack which a person has put there meanwhile is not made, and removes nothing of it")
    void personsStack() {
        add("statefulsets", "apps/v1", "StatefulSet", "jobmanager");
        add("statefulsets", "apps/v1", "StatefulSet", "generator");
        add("persistentvolumeclaims", "v1", "PersistentVolumeClaim", "data-store-0");
        assertThat(run(ground()).reasons()).singleElement().asString().contains("there is a stack (north)");
        assertThat(there.deleted()).isEmpty();
    }

    @Test
    @DisplayName("that meets volumes which a person has left there meanwhile is not made, and removes none")
    void personsVolumes() {
        add("persistentvolumeclaims", "v1", "PersistentVolumeClaim", "data-store-0");
        assertThat(run(ground()).reasons()).singleElement().asString().contains("there are volumes of a stack (north)");
        assertThat(there.deleted()).isEmpty();
    }

    @Test
    @DisplayName("removes first what a run before it has made and could not remove")
    void owed() {
        add("persistentvolumeclaims", "v1", "PersistentVolumeClaim", "data-store-0");
        ClusterGround ground = ground();
        ground.owes(ground.stack("north"));
        assertThat(run(ground).reasons()).singleElement().asString().doesNotContain("there are volumes");
        assertThat(there.deleted()).anyMatch(name -> name.contains("data-store-0"));
        assertThat(ground.owed()).isEmpty();
    }
}
