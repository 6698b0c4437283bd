package dev.millrace.perf.kubernetes;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.kubernetes.cluster.LoopbackCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** On whose ground a benchmark stands: what it would remove must be a benchmark's. */
class ClusterGroundTest {
    private static final Path SCENARIO = LoopbackGround.scenario("quick");
    private static final String DOWN =
            "millrace down --target kubernetes --context loopback --broker north --namespace here";

    private LoopbackCluster there;

    @BeforeEach
    void start() throws IOException {
        there = new LoopbackCluster();
    }

    @AfterEach
    void stop() {
        there.close();
    }

    private void check() {
        check(SCENARIO);
    }

    private void check(Path scenario) {
        LoopbackGround.of(there, scenario).check(List.of(), "");
    }

    private void add(String plural, String version, String kind, String name) {
        LoopbackGround.add(there, plural, version, kind, name);
    }

    @Test
    @DisplayName("a person's stack in the namespace is refused, with the commands that take it down")
    void persons() {
        add("statefulsets", "apps/v1", "StatefulSet", "jobmanager");
        add("statefulsets", "apps/v1", "StatefulSet", "generator");
        add("persistentvolumeclaims", "v1", "PersistentVolumeClaim", "data-store-0");
        assertThatThrownBy(this::check)
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll("in namespace here on loopback there is a stack (north)", DOWN + " --data");
    }

    @Test
    @DisplayName("so is one whose up has not come to its generator, and one of which the volumes are left")
    void halfAStack() {
        add("persistentvolumeclaims", "v1", "PersistentVolumeClaim", "data-store-0");
        assertThatThrownBy(this::check)
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll("there are volumes of a stack (north) that is down", DOWN + " --data");
        add("statefulsets", "apps/v1", "StatefulSet", "jobmanager");
        assertThatThrownBy(this::check)
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is a stack (north)");
    }

    @Test
    @DisplayName("what a benchmark left that was killed is not refused: the first run removes it")
    void killed() {
        assertThatCode(this::check).doesNotThrowAnyException();
        add("configmaps", "v1", "ConfigMap", LoadObjects.BENCHMARK);
        add("persistentvolumeclaims", "v1", "PersistentVolumeClaim", "data-store-0");
        assertThatCode(this::check).doesNotThrowAnyException();
        add("statefulsets", "apps/v1", "StatefulSet", "jobmanager");
        add("jobs", "batch/v1", "Job", "generator");
        assertThatCode(this::check).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("a scenario whose result would be of no use, or that handles one machine's processes, is refused")
    void scenarios() {
        assertThatThrownBy(() -> check(LoopbackGround.scenario("sizing")))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("scenario sizing is what millrace rates makes rates per core of")
                .hasMessageContaining("run it without --target kubernetes");
        assertThatThrownBy(() -> check(LoopbackGround.scenario("backlog")))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("scenario backlog has backlog, for which");
        assertThatCode(() -> check(LoopbackGround.scenario("capacity"))).doesNotThrowAnyException();
    }
}
