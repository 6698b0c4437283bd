package dev.millrace.deploy.kubernetes.production;

import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.local.StackSettings;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a stack's data are made with, and cannot be changed under them: its topic's partitions can only become more, and a generator goes
 * on with a ledger of its own settings alone. Found out before anything is applied: the pods would say so one after the other, after
 * the job was stopped.
 */
final class MadeWith {
    private static final String MAP = SettingsMap.STACK;
    private static final String FILE = SettingsMap.STACK_FILE;
    private static final String GENERATOR = "generator";

    private final KubernetesClient client;
    private final String namespace;

    MadeWith(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** A sentence when the stack that is there is another; none of one that is not there. */
    List<String> problems(List<GenericKubernetesResource> objects) {
        ConfigMap live =
                client.configMaps().inNamespace(namespace).withName(MAP).get();
        String wanted = SettingsMap.files(objects, MAP).get(FILE);
        if (live == null || live.getData() == null || !live.getData().containsKey(FILE) || wanted == null) {
            return List.of();
        }
        StackSettings before = ClusterStack.settings(
                "ConfigMap " + MAP + " in " + namespace, live.getData().get(FILE));
        StackSettings after = ClusterStack.settings("ConfigMap " + MAP + " that is wanted", wanted);
        List<String> bound = new ArrayList<>(before.boundToData(after));
        if (after.partitions() < before.partitions()) {
            bound.add("partitions " + before.partitions() + " -> " + after.partitions());
        }
        generators(objects).ifPresent(bound::add);
        return bound.isEmpty()
                ? List.of()
                : List.of(
                        "the stack's data are made with other settings: " + String.join(", ", bound)
                                + "; bring it up as it was (with the same --rate, or without one as then), or take it down with --data first");
    }

    /** Each has devices of its own, and how many depends on how many generators there are. */
    private Optional<String> generators(List<GenericKubernetesResource> objects) {
        StatefulSet live = client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName(GENERATOR)
                .get();
        Optional<Integer> wanted = objects.stream()
                .filter(object -> object.getKind().equals("StatefulSet")
                        && object.getMetadata().getName().equals(GENERATOR))
                .findFirst()
                .map(set ->
                        Fields.at(set, "spec.replicas").map(Object::toString).orElse("1"))
                .map(Integer::valueOf);
        return Optional.ofNullable(live)
                .map(set -> set.getSpec().getReplicas())
                // One that somebody has stopped has its ledger of before.
                .filter(replicas -> replicas > 0 && wanted.isPresent() && !replicas.equals(wanted.get()))
                .map(replicas -> "generators " + replicas + " -> " + wanted.get());
    }
}
