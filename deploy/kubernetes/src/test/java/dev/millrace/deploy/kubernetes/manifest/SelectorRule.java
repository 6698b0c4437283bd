package dev.millrace.deploy.kubernetes.manifest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Selectors and labels meet: each selector finds the pods that it is for, each pod is found by those that must find it. */
final class SelectorRule implements Rule {
    private static final String LABEL = "app.kubernetes.io/name";

    @Override
    public void check(Stack stack, Consumer<Finding> found) {
        for (Workload workload : stack.workloads()) {
            workload(stack, workload, found);
        }
        stack.kind("Service").forEach(service -> {
            one(stack, service, "spec.selector", found);
            headless(service, found);
        });
        stack.kind("PodDisruptionBudget").forEach(budget -> {
            one(stack, budget, "spec.selector.matchLabels", found);
            // Of one pod: with 0, or at least 1, a node could never be drained.
            if (!budget.is("spec.maxUnavailable", "1")) {
                found.accept(budget.nearest("spec.maxUnavailable").finding("it must be 1"));
            }
        });
        stack.kind("NetworkPolicy").forEach(policy -> policy(stack, policy, found));
        stack.objects().stream().map(Manifest::object).forEach(object -> named(object, found));
    }

    private static void workload(Stack stack, Workload workload, Consumer<Finding> found) {
        Field object = workload.object();
        List<Workload> selected = stack.selected(object.texts("spec.selector.matchLabels"));
        if (selected.size() != 1 || !selected.get(0).name().equals(workload.name())) {
            found.accept(object.nearest("spec.selector").finding("it must select this object's own pods"));
        }
        if (!object.is("spec.replicas", "1")) {
            found.accept(object.nearest("spec.replicas").finding("of each part there is one"));
        }
        if (object.is("kind", "Deployment") && !object.is("spec.strategy.type", "Recreate")) {
            found.accept(object.nearest("spec.strategy.type").finding("never two at once: Recreate"));
        }
        for (Field term : object.items(
                "spec.template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution")) {
            pods(stack, term.nearest("labelSelector.matchLabels"), found);
        }
        if (stack.kind("NetworkPolicy").noneMatch(policy -> closes(stack, policy, workload))) {
            found.accept(object.finding("no NetworkPolicy keeps everybody else out, and it in"));
        }
    }

    private static boolean closes(Stack stack, Field policy, Workload workload) {
        return policy.items("spec.policyTypes").size() == 2
                && stack.selected(policy.texts("spec.podSelector.matchLabels")).stream()
                        .anyMatch(one -> one.name().equals(workload.name()));
    }

    private static void one(Stack stack, Field object, String selector, Consumer<Finding> found) {
        List<String> selected = stack.selected(object.texts(selector)).stream()
                .map(Workload::name)
                .toList();
        if (selected.size() != 1 || !object.is("metadata.name", selected.get(0))) {
            found.accept(object.nearest(selector)
                    .finding("it must select the pods of '" + object.text("metadata.name") + "', but selects "
                            + selected));
        }
    }

    /** Pods find each other by their own addresses, before they are ready. */
    private static void headless(Field service, Consumer<Finding> found) {
        if (!service.is("spec.clusterIP", "None")) {
            found.accept(service.nearest("spec.clusterIP").finding("it must be None"));
        }
        if (!service.is("spec.publishNotReadyAddresses", "true")) {
            found.accept(service.nearest("spec.publishNotReadyAddresses").finding("it must be true"));
        }
    }

    private static void policy(Stack stack, Field policy, Consumer<Finding> found) {
        pods(stack, policy.nearest("spec.podSelector.matchLabels"), found);
        List<String> types =
                policy.items("spec.policyTypes").stream().map(Field::text).toList();
        for (Map.Entry<String, String> direction :
                Map.of("ingress", "Ingress", "egress", "Egress").entrySet()) {
            policy.find("spec." + direction.getKey())
                    .filter(rules -> !types.contains(direction.getValue()))
                    .ifPresent(rules -> found.accept(
                            policy.nearest("spec.policyTypes").finding("it must name " + direction.getValue())));
        }
        for (Field rule : policy.items("spec.ingress")) {
            if (rule.items("from").isEmpty() || rule.items("ports").isEmpty()) {
                found.accept(rule.finding("it must say who comes in, and to which ports"));
            }
            peers(stack, rule, "from", found);
        }
        policy.items("spec.egress").forEach(rule -> peers(stack, rule, "to", found));
        boolean isOfOne = policy.texts("spec.podSelector.matchLabels").containsKey(LABEL);
        if (isOfOne) {
            one(stack, policy, "spec.podSelector.matchLabels", found);
        } else if (!types.equals(List.of("Ingress", "Egress"))
                || policy.find("spec.ingress").isPresent()) {
            found.accept(policy.nearest("spec.policyTypes").finding("what holds for all lets nothing in"));
        }
    }

    private static void peers(Stack stack, Field rule, String side, Consumer<Finding> found) {
        rule.items(side).forEach(peer -> pods(stack, peer.nearest("podSelector.matchLabels"), found));
    }

    private static void pods(Stack stack, Field labels, Consumer<Finding> found) {
        Map<String, String> wanted = new LinkedHashMap<>();
        labels.fields().forEach((name, value) -> wanted.put(name, value.text()));
        if (stack.selected(wanted).isEmpty()) {
            found.accept(labels.finding("no pod has " + wanted));
        }
    }

    private static void named(Field object, Consumer<Finding> found) {
        Map<String, Field> labels = object.fields("metadata.labels");
        if (labels.containsKey(LABEL)
                && !object.is("metadata.name", labels.get(LABEL).text())) {
            found.accept(
                    labels.get(LABEL).finding("it must be the object's name, '" + object.text("metadata.name") + "'"));
        }
    }
}
