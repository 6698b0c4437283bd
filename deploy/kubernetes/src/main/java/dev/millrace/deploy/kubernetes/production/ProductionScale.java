package dev.millrace.deploy.kubernetes.production;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.kubernetes.cluster.LiveEdit;
import dev.millrace.deploy.kubernetes.cluster.ObjectPlan;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Changes the parallelism of a job that Flink's operator runs, in its object and in the settings that it is told: the operator takes a savepoint, makes the
 * TaskManagers as many as it needs, and goes on. Used by one thread.
 */
public final class ProductionScale {
    private static final String KEY = "parallelism";
    private static final String PATH = "spec.job.parallelism";
    private static final String SLOTS = "spec.flinkConfiguration.taskmanager.numberOfTaskSlots";

    private final ClusterStack stack;
    private final Needs needs;
    private final PrintWriter out;
    private final KubernetesClient client;

    public ProductionScale(ClusterStack stack, Needs needs, PrintWriter out) {
        this.stack = stack;
        this.needs = needs;
        this.out = out;
        this.client = stack.cluster().client();
    }

    public void to(int parallelism) {
        GenericKubernetesResource job = FlinkJob.of(Stages.objects(stack, needs).values().stream()
                        .flatMap(List::stream)
                        .toList())
                .orElseThrow(() -> new UserException("the stack in " + stack.namespace() + " has no job to scale"));
        Map<String, GenericKubernetesResource> maps = new LinkedHashMap<>();
        List.of("job", "stack").forEach(name -> maps.put(name, map(name)));
        int partitions = number(maps.get("stack"), "partitions");
        int most = Math.min(partitions, JobSettings.MAX_PARALLELISM);
        if (parallelism < 1 || parallelism > most) {
            throw new UserException("the parallelism is " + parallelism + "; it must be from 1 to " + most
                    + (most == partitions
                            ? ", the number of partitions: more subtasks would stand idle"
                            : ", the number of key groups: the job takes no more"));
        }
        if (Fields.text(job, PATH).equals(Integer.toString(parallelism))) {
            // Whoever was interrupted waiting asks again.
            await(job);
            out.println("The parallelism is " + parallelism + " already; nothing to do.");
            out.flush();
            return;
        }
        room(job, parallelism);
        out.println("The job of " + stack.broker() + " in " + stack.namespace() + " goes from parallelism "
                + Fields.text(job, PATH) + " to " + parallelism + ", from a savepoint");
        out.flush();
        Map<String, String> settings = new TreeMap<>();
        maps.values().forEach(map -> {
            Map<String, String> data = told(map, parallelism);
            settings.putAll(data);
            LiveEdit.apply(client, map, copy -> copy.setAdditionalProperty("data", data));
        });
        LiveEdit.apply(client, job, copy -> {
            Fields.set(copy, PATH, parallelism);
            @SuppressWarnings("unchecked")
            Map<String, Object> annotations = (Map<String, Object>)
                    Fields.at(copy, "spec.podTemplate.metadata.annotations").orElseThrow();
            annotations.put(ProductionManifests.SETTINGS, ProductionManifests.digest(settings));
        });
        await(job);
    }

    private void await(GenericKubernetesResource job) {
        new Stages(stack, needs, out).await(needs.stage(FlinkJob.KIND, FlinkJob.NAME), List.of(job));
    }

    private GenericKubernetesResource map(String name) {
        var map = client.configMaps()
                .inNamespace(stack.namespace())
                .withName(name)
                .get();
        if (map == null) {
            throw new EnvironmentException("in " + stack.namespace() + " there is no ConfigMap '" + name
                    + "'; the same up as before makes it again");
        }
        return Serialization.unmarshal(Serialization.asJson(map), GenericKubernetesResource.class);
    }

    /** What a map has with another parallelism where it says one. */
    private static Map<String, String> told(GenericKubernetesResource map, int parallelism) {
        Map<String, String> data = new TreeMap<>();
        ((Map<?, ?>) Fields.at(map, "data").orElse(Map.of()))
                .forEach((file, text) -> data.put(
                        file.toString(),
                        text.toString()
                                .lines()
                                .map(line -> line.startsWith(KEY + "=") ? KEY + "=" + parallelism : line)
                                .collect(Collectors.joining("\n", "", "\n"))));
        return data;
    }

    private static int number(GenericKubernetesResource map, String key) {
        return ((Map<?, ?>) Fields.at(map, "data").orElse(Map.of()))
                .values().stream()
                        .flatMap(text -> text.toString().lines())
                        .filter(line -> line.matches(key + "=\\d+"))
                        .map(line -> Integer.parseInt(line.substring(key.length() + 1)))
                        .findFirst()
                        .orElse(Integer.MAX_VALUE);
    }

    /** Judged as an {@code up} judges it that changes the job, before anything is stopped. A TaskManager has a node for itself. */
    private void room(GenericKubernetesResource job, int parallelism) {
        GenericKubernetesResource wanted =
                Serialization.unmarshal(Serialization.asJson(job), GenericKubernetesResource.class);
        Fields.set(wanted, PATH, parallelism);
        NodeRoom room = new NodeRoom(stack);
        ObjectPlan.Step change = new ObjectPlan.Step(ObjectPlan.Effect.CHANGE, wanted, List.of(), Optional.of(job));
        List<String> problems = room.problems(NodeRoom.of(List.of(change), needs));
        if (!problems.isEmpty()) {
            int slots =
                    Integer.parseInt(Fields.at(job, SLOTS).map(Object::toString).orElse("1"));
            int nodes = room.nodes(Fields.text(job, "spec.taskManager.podTemplate.spec.nodeSelector." + NodeRoom.ROLE));
            throw new EnvironmentException("a parallelism of " + parallelism + " takes "
                    + (parallelism + slots - 1) / slots + " TaskManagers of " + slots
                    + " slots, each on a node of its own: " + String.join("; ", problems)
                    + "; add nodes, or name at most " + nodes * slots);
        }
    }
}
