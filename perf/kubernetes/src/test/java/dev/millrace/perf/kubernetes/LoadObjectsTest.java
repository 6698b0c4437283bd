package dev.millrace.perf.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.perf.run.stage.Turn;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.scenario.ScenarioFile;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.jar.JarInputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** From the objects of the base, as they are. What a cluster says of the result is RealBenchmarkTest's. */
class LoadObjectsTest {
    private static final Path ROOT = Path.of(System.getProperty("millrace.root"));
    private static final Path SCENARIO = ROOT.resolve("perf/scenarios/quick.yaml");

    private final Placement placement = new Placement();
    private final List<GenericKubernetesResource> made = make(1_000);

    private static List<GenericKubernetesResource> base() {
        List<GenericKubernetesResource> objects = new ArrayList<>();
        try (Stream<Path> files = Files.list(ROOT.resolve("deploy/kubernetes/base"))) {
            for (Path file : files.sorted().toList()) {
                for (String document : Files.readString(file).split("(?m)^---$")) {
                    GenericKubernetesResource object =
                            Serialization.unmarshal(document, GenericKubernetesResource.class);
                    if (!object.getKind().equals("Kustomization")) {
                        object.getMetadata().setNamespace("here");
                        object.getMetadata().setLabels(Map.of("millrace.dev/stack", "north"));
                        objects.add(object);
                    }
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return objects;
    }

    private List<GenericKubernetesResource> make(long devices) {
        Scenario scenario = ScenarioFile.load(SCENARIO).with(Duration.ofSeconds(3), Duration.ofSeconds(7));
        Turn turn = new Turn("02-north", "north", 1, 2, 6, OptionalLong.empty(), null);
        return new LoadObjects(new ClusterStack(null, "here", "north"), scenario, SCENARIO, turn, placement, devices)
                .of(base());
    }

    private <T> T made(String kind, String name, Class<T> type) {
        return in(made, kind, name, type);
    }

    private static <T> T in(List<GenericKubernetesResource> all, String kind, String name, Class<T> type) {
        return all.stream()
                .filter(object -> object.getKind().equals(kind)
                        && object.getMetadata().getName().equals(name))
                .map(object -> Serialization.unmarshal(Serialization.asJson(object), type))
                .findFirst()
                .orElseThrow();
    }

    private PodSpec load() {
        return made("Job", "generator", Job.class).getSpec().getTemplate().getSpec();
    }

    @Test
    void theGeneratorIsASidecarOfWhoeverMeasures() {
        assertThat(made)
                .noneMatch(object -> object.getKind().equals("StatefulSet")
                        && object.getMetadata().getName().equals("generator"));
        PodSpec pod = load();
        assertThat(pod.getInitContainers()).extracting(Container::getName).containsExactly("prepare", "generator");
        assertThat(pod.getInitContainers().get(1).getRestartPolicy()).isEqualTo("Always");
        assertThat(pod.getContainers()).extracting(Container::getName).containsExactly("rig");
        assertThat(pod.getRestartPolicy()).isEqualTo("Never");
        assertThat(made("Job", "generator", Job.class).getSpec().getBackoffLimit())
                .isZero();
    }

    @Test
    void everyMountOfAPodIsThere() {
        for (PodSpec pod : List.of(
                load(),
                made("StatefulSet", "store", StatefulSet.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec(),
                made("Deployment", "taskmanager", Deployment.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec())) {
            Set<String> volumes = new HashSet<>();
            pod.getVolumes().forEach(volume -> volumes.add(volume.getName()));
            volumes.add("data");
            Stream.concat(pod.getContainers().stream(), pod.getInitContainers().stream())
                    .flatMap(container -> container.getVolumeMounts().stream())
                    .forEach(mount -> assertThat(volumes).contains(mount.getName()));
        }
    }

    @Test
    void whoMeasuresIsToldTheRunAndThePhasesThatWereAskedFor() {
        assertThat(load().getContainers().get(0).getArgs())
                .containsSubsequence("measure", "--scenario", "/etc/millrace-benchmark/quick.yaml")
                .containsSubsequence("--id", "02-north", "--block", "1", "--run", "2", "--runs", "6")
                .containsSubsequence("--warm-up", "3000ms", "--measure", "7000ms");
        assertThat(made("ConfigMap", "benchmark", ConfigMap.class).getData()).containsKey("quick.yaml");
    }

    @Test
    void whoMeasuresHasRoomForAnAuditOfItsDevices() {
        assertThat(rigMemory(made)).isEqualTo("512Mi");
        assertThat(rigMemory(make(1_000_000))).isEqualTo("1370Mi");
    }

    private static String rigMemory(List<GenericKubernetesResource> all) {
        return in(all, "Job", "generator", Job.class)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getResources()
                .getLimits()
                .get("memory")
                .toString();
    }

    @Test
    void everyProcessTellsWhatItUsesAndWhatWasSetStays() {
        for (Container container : List.of(
                load().getInitContainers().get(1),
                made("StatefulSet", "store", StatefulSet.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0),
                made("StatefulSet", "jobmanager", StatefulSet.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0),
                made("Deployment", "taskmanager", Deployment.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0))) {
            assertThat(container.getEnv())
                    .filteredOn(variable -> variable.getName().equals("JAVA_TOOL_OPTIONS"))
                    .extracting(EnvVar::getValue)
                    .containsExactly("-javaagent:/etc/millrace-benchmark/usage.jar=$(POD_IP):6126");
        }
        assertThat(made("StatefulSet", "store", StatefulSet.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getEnv())
                .extracting(EnvVar::getName)
                .contains("MALLOC_ARENA_MAX");
    }

    @Test
    void theAgentIsAJarThatJavaTakes() throws IOException {
        String jar =
                made("ConfigMap", "benchmark", ConfigMap.class).getBinaryData().get("usage.jar");
        try (JarInputStream in =
                new JarInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(jar)))) {
            assertThat(in.getManifest().getMainAttributes().getValue("Premain-Class"))
                    .isEqualTo("dev.millrace.perf.agent.UsageAgent");
            assertThat(in.getNextEntry().getName()).isEqualTo("dev/millrace/perf/agent/UsageAgent.class");
        }
    }

    @Test
    void limitsAreThoseOfContainersThatStay() {
        // Store, JobManager, TaskManager and generator of the base, MiB.
        assertThat(Limits.memoryBytes(base())).isEqualTo((1280 + 768 + 1536 + 1280L) << 20);
    }
}
