package dev.millrace.deploy.kubernetes.production;

import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Fields;
import dev.millrace.deploy.kubernetes.cluster.ObjectPlan;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import dev.millrace.deploy.kubernetes.cluster.Rollout;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Applies a plan in the order of {@link Needs#STAGES}, and waits after each until its objects say that they are ready. Used by one thread. */
final class Stages {
    private final ClusterStack stack;
    private final Needs needs;
    private final PrintWriter out;

    Stages(ClusterStack stack, Needs needs, PrintWriter out) {
        this.stack = stack;
        this.needs = needs;
        this.out = out;
    }

    void run(ObjectPlan plan) {
        for (String stage : Needs.STAGES) {
            plan.apply(object -> stage.equals(stageOf(object)));
            await(
                    stage,
                    plan.steps().stream()
                            .map(ObjectPlan.Step::object)
                            .filter(object -> stage.equals(stageOf(object)))
                            .toList());
        }
    }

    private String stageOf(GenericKubernetesResource object) {
        return needs.stage(object.getKind(), object.getMetadata().getName());
    }

    /** Waits for those of the objects that say at all whether they are ready. */
    void await(String stage, List<GenericKubernetesResource> objects) {
        List<String> workloads = needs.workloads().stream()
                .filter(one -> one.stage().equals(stage))
                .flatMap(one -> one.names().stream())
                .filter(name -> objects.stream()
                        .anyMatch(object -> object.getMetadata().getName().equals(name)))
                .toList();
        List<GenericKubernetesResource> custom = objects.stream()
                .filter(object -> needs.definition(object.getKind())
                        .filter(one -> one.until() != null)
                        .isPresent())
                .toList();
        if (workloads.isEmpty() && custom.isEmpty()) {
            return;
        }
        out.println("  " + stage);
        out.flush();
        new Rollout(stack, out, Duration.ofMinutes(minutes(stage)), workloads::contains, () -> custom.stream()
                        .map(this::state)
                        .toList())
                .await();
    }

    private int minutes(String stage) {
        List<Integer> all = new ArrayList<>(List.of(1));
        needs.own().stream().filter(one -> stage.equals(one.stage())).forEach(one -> all.add(one.minutesMax()));
        needs.workloads().stream().filter(one -> stage.equals(one.stage())).forEach(one -> all.add(one.minutes()));
        return all.stream().max(Integer::compareTo).orElseThrow();
    }

    private Rollout.Workload state(GenericKubernetesResource object) {
        Needs.Definition kind = needs.definition(object.getKind()).orElseThrow();
        return state(Owned.name(object), live(stack.cluster().client(), kind, object), kind);
    }

    private static Optional<GenericKubernetesResource> live(
            KubernetesClient client, Needs.Definition kind, GenericKubernetesResource object) {
        return Optional.ofNullable(client.genericKubernetesResources(kind.context())
                .inNamespace(object.getMetadata().getNamespace())
                .withName(object.getMetadata().getName())
                .get());
    }

    /** What an object says of itself, as {@code needs.yaml} understands it. */
    static Rollout.Workload state(String name, Optional<GenericKubernetesResource> live, Needs.Definition kind) {
        if (live.isEmpty()) {
            return new Rollout.Workload(name, 1, 0, false, "it is not there");
        }
        GenericKubernetesResource object = live.orElseThrow();
        // Before its operator has seen the newest version of it, what it says is of the one before.
        String seen = Fields.text(object, "status.observedGeneration");
        boolean current =
                seen.isEmpty() || Long.parseLong(seen) >= object.getMetadata().getGeneration();
        List<String> open = kind.until() == null
                ? List.of()
                : kind.until().stream()
                        .flatMap(until -> missing(object, until).stream())
                        .toList();
        String says = kind.says() == null ? "" : Fields.text(object, kind.says());
        String why = String.join(", ", open) + (says.isEmpty() ? "" : ": " + says);
        return new Rollout.Workload(name, 1, open.isEmpty() ? 1 : 0, current, open.isEmpty() ? "" : why);
    }

    private static Optional<String> missing(GenericKubernetesResource object, Needs.Until until) {
        if (until.condition() == null) {
            String value = Fields.text(object, String.valueOf(until.field()));
            return value.equals(until.is())
                    ? Optional.empty()
                    : Optional.of(
                            until.field() + " is " + (value.isEmpty() ? "not set" : value) + ", not " + until.is());
        }
        List<String> others = new ArrayList<>();
        for (Object condition : (List<?>) Fields.at(object, "status.conditions").orElse(List.of())) {
            Object type = Fields.at(condition, "type").orElse("");
            boolean isTrue =
                    Fields.at(condition, "status").filter("True"::equals).isPresent();
            if (type.equals(until.condition()) && isTrue) {
                return Optional.empty();
            }
            String message =
                    Fields.at(condition, "message").map(Object::toString).orElse("");
            others.add(type + (message.isEmpty() ? "" : ": " + message));
        }
        return Optional.of("not " + until.condition()
                + (others.isEmpty()
                        ? "; its operator has said nothing of it yet"
                        : " (" + String.join("; ", others) + ")"));
    }

    /** All that are there of the stack's kinds. */
    static Map<Needs.Definition, List<GenericKubernetesResource>> objects(ClusterStack stack, Needs needs) {
        Map<Needs.Definition, List<GenericKubernetesResource>> all = new java.util.LinkedHashMap<>();
        for (Needs.Definition kind : needs.own()) {
            all.put(kind, objects(stack, kind));
        }
        return all;
    }

    /** Those of one kind; none where the cluster does not know it. */
    static List<GenericKubernetesResource> objects(ClusterStack stack, Needs.Definition kind) {
        KubernetesClient client = stack.cluster().client();
        return Definitions.serves(client, kind.context())
                ? client.genericKubernetesResources(kind.context())
                        .inNamespace(stack.namespace())
                        .withLabels(Owned.labels(stack.broker()))
                        .list()
                        .getItems()
                : List.of();
    }
}
