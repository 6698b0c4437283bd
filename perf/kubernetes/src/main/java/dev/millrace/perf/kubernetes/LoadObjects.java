package dev.millrace.perf.kubernetes;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.perf.agent.AgentJar;
import dev.millrace.perf.pod.MeasureCommand;
import dev.millrace.perf.run.stage.Turn;
import dev.millrace.perf.scenario.Scenario;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes of the objects of a stack those of a stack that is measured: the generator is a Job, in which it runs beside whoever measures
 * and ends with it, every process tells what it uses, and every workload is on the node that it had in the first run.
 */
final class LoadObjects {
    /** The Job, and the container in it that measures. */
    static final String LOAD = "generator";

    static final String RIG = "rig";

    /** The ConfigMap that only a stack that is measured has; it is applied first. */
    static final String BENCHMARK = "benchmark";

    private static final String FOLDER = "/etc/millrace-benchmark";
    private static final String JAR = "usage.jar";
    private static final String NAME = "app.kubernetes.io/name";
    private static final String PART_OF = "app.kubernetes.io/part-of";
    /** Reckoned, not measured: three windows open at a time, in each 37 longs and doubles for a device. */
    private static final long AUDIT_BYTES_OF_A_DEVICE = 900;

    private final ClusterStack stack;
    private final Scenario scenario;
    private final Path scenarioFile;
    private final Turn turn;
    private final Placement placement;
    private final long devices;

    /**
     * @param scenarioFile as a person wrote it; phases are those of {@code scenario}
     * @param devices that the audit will have to do with
     */
    LoadObjects(
            ClusterStack stack, Scenario scenario, Path scenarioFile, Turn turn, Placement placement, long devices) {
        this.stack = stack;
        this.scenario = scenario;
        this.scenarioFile = scenarioFile;
        this.turn = turn;
        this.placement = placement;
        this.devices = devices;
    }

    List<GenericKubernetesResource> of(List<GenericKubernetesResource> objects) {
        List<GenericKubernetesResource> all = new ArrayList<>();
        // Before the workloads that mount it.
        all.add(configMap(objects.get(0)));
        all.add(networkPolicy(objects.get(0)));
        for (GenericKubernetesResource object : objects) {
            boolean isLoad = object.getKind().equals("StatefulSet")
                    && object.getMetadata().getName().equals(LOAD);
            if (List.of("StatefulSet", "Deployment").contains(object.getKind())) {
                workload(object);
            }
            all.add(isLoad ? job(object) : object);
        }
        return all;
    }

    private void workload(GenericKubernetesResource object) {
        Map<String, Object> pod = object.get("spec", "template", "spec");
        List<Map<String, Object>> containers = list(pod, "containers");
        tells(containers.get(0));
        list(pod, "volumes").add(map("name", BENCHMARK, "configMap", map("name", BENCHMARK)));
        placement
                .of(stack, object.getMetadata().getName())
                .ifPresent(node -> pod.put("nodeSelector", map("kubernetes.io/hostname", node)));
    }

    private static void tells(Map<String, Object> container) {
        List<Map<String, Object>> environment = list(container, "env");
        environment.add(field("POD_IP", "status.podIP"));
        environment.add(field("NODE_NAME", "spec.nodeName"));
        environment.add(map(
                "name",
                "JAVA_TOOL_OPTIONS",
                "value",
                "-javaagent:" + FOLDER + "/" + JAR + "=$(POD_IP):" + MeasureCommand.USAGE_PORT));
        list(container, "volumeMounts").add(mount());
    }

    private static Map<String, Object> field(String name, String path) {
        return map("name", name, "valueFrom", map("fieldRef", map("fieldPath", path)));
    }

    private static Map<String, Object> mount() {
        return map("name", BENCHMARK, "mountPath", FOLDER, "readOnly", true);
    }

    private GenericKubernetesResource job(GenericKubernetesResource set) {
        Map<String, Object> template = set.get("spec", "template");
        Map<String, Object> pod = set.get("spec", "template", "spec");
        Map<String, Object> generator = list(pod, "containers").remove(0);
        // A sidecar: it is there before the other container begins, and is stopped when that one has ended.
        generator.put("restartPolicy", "Always");
        list(pod, "initContainers").add(generator);
        list(pod, "containers").add(rig(generator));
        list(pod, "volumes").add(map("name", "data", "emptyDir", map("sizeLimit", "5Gi")));
        pod.put("restartPolicy", "Never");
        GenericKubernetesResource job = new GenericKubernetesResource();
        job.setApiVersion("batch/v1");
        job.setKind("Job");
        job.setMetadata(set.getMetadata());
        // What was not measured is not measured again by itself: the run is INVALID.
        job.setAdditionalProperty("spec", map("backoffLimit", 0, "template", template));
        return job;
    }

    /** The audit adds up every device in each of the windows that are open. */
    private long rigMebibytes(long least) {
        return least + devices * AUDIT_BYTES_OF_A_DEVICE / (1 << 20);
    }

    private Map<String, Object> rig(Map<String, Object> generator) {
        List<String> command = new ArrayList<>(List.of(
                "@/opt/millrace/java.args",
                "measure",
                "--run-dir",
                "/run/millrace",
                "--scenario",
                FOLDER + "/" + scenarioFile.getFileName(),
                "--id",
                turn.id(),
                "--block",
                Integer.toString(turn.block()),
                "--run",
                Integer.toString(turn.run()),
                "--runs",
                Integer.toString(turn.runs()),
                "--warm-up",
                scenario.warmUp().toMillis() + "ms",
                "--measure",
                scenario.measure().toMillis() + "ms"));
        return map(
                "name",
                RIG,
                "image",
                generator.get("image"),
                "command",
                List.of("java"),
                "args",
                command,
                "env",
                List.of(field("NODE_NAME", "spec.nodeName")),
                "resources",
                map(
                        "requests",
                        map("cpu", "200m", "memory", rigMebibytes(320) + "Mi"),
                        "limits",
                        map("memory", rigMebibytes(512) + "Mi")),
                "securityContext",
                generator.get("securityContext"),
                "volumeMounts",
                generator.get("volumeMounts"));
    }

    private GenericKubernetesResource configMap(GenericKubernetesResource like) {
        GenericKubernetesResource map = object("v1", "ConfigMap", BENCHMARK, like);
        try {
            map.setAdditionalProperty(
                    "data",
                    map(scenarioFile.getFileName().toString(), Files.readString(scenarioFile, StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + scenarioFile + ": " + e.getMessage(), e);
        }
        map.setAdditionalProperty("binaryData", map(JAR, Base64.getEncoder().encodeToString(AgentJar.bytes())));
        return map;
    }

    private GenericKubernetesResource networkPolicy(GenericKubernetesResource like) {
        GenericKubernetesResource policy = object("networking.k8s.io/v1", "NetworkPolicy", "usage", like);
        policy.setAdditionalProperty(
                "spec",
                map(
                        "podSelector",
                        map("matchLabels", map(PART_OF, "millrace")),
                        "policyTypes",
                        List.of("Ingress"),
                        "ingress",
                        List.of(map(
                                "from",
                                List.of(map("podSelector", map("matchLabels", map(NAME, LOAD)))),
                                "ports",
                                List.of(map("port", MeasureCommand.USAGE_PORT))))));
        return policy;
    }

    /** @param like any object of the stack, whose namespace and owner this one has too */
    private GenericKubernetesResource object(String version, String kind, String name, GenericKubernetesResource like) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion(version);
        object.setKind(kind);
        Map<String, String> labels = new LinkedHashMap<>(like.getMetadata().getLabels());
        labels.remove(NAME);
        object.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withName(name)
                .withNamespace(stack.namespace())
                .withLabels(labels)
                .build());
        return Serialization.clone(object);
    }

    /** The list of that name, made when it is not there; it can be changed. */
    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> owner, String name) {
        List<Map<String, Object>> list =
                new ArrayList<>((List<Map<String, Object>>) owner.getOrDefault(name, List.of()));
        owner.put(name, list);
        return list;
    }

    private static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
