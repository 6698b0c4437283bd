package dev.millrace.deploy.kubernetes.manifest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Selectors find pods, and ports are those that the pods have: our own pods, Flink's, and those that a broker's operator makes. */
final class MeetingRule implements ProductionRule {
    private static final Map<String, String> PART_OF = Map.of("app.kubernetes.io/part-of", "millrace");
    /** What the operator of Flink names its pods by, and where they listen. */
    private static final List<String> FLINK_PORTS = List.of("8081", "6123", "6124", "6121", "6122");

    private static final Set<String> NAMESPACES = Set.of("flink-operator", "monitoring");

    /**
     * Pods of one kind.
     *
     * @param ports by name; without one by the number
     */
    private record Pods(Map<String, String> labels, Map<String, String> ports) {
        boolean has(Map<String, String> wanted) {
            return labels.entrySet().containsAll(wanted.entrySet());
        }
    }

    @Override
    public void check(Production production, Consumer<Finding> found) {
        for (String broker : production.brokers()) {
            List<Manifest> objects = production.objects(broker);
            List<Pods> pods = new ArrayList<>();
            objects.stream()
                    .filter(one ->
                            one.object().find("spec.template.metadata.labels").isPresent())
                    .forEach(one -> pods.add(own(one.object())));
            objects.stream().filter(one -> one.kind().equals("FlinkDeployment")).forEach(one -> List.of(
                            "jobmanager", "taskmanager")
                    .forEach(component -> pods.add(flink(one, component))));
            BrokerPods.of(production, broker).forEach(one -> pods.add(brokers(one)));
            objects.stream().map(Manifest::object).forEach(object -> object(object, pods, found));
        }
    }

    private static Pods own(Field object) {
        Map<String, String> labels = new LinkedHashMap<>(object.texts("spec.template.metadata.labels"));
        labels.putAll(PART_OF);
        return new Pods(labels, ports(object));
    }

    private static Pods flink(Manifest deployment, String component) {
        Map<String, String> labels = new LinkedHashMap<>(deployment.object().texts("spec.podTemplate.metadata.labels"));
        labels.put("app", deployment.name());
        labels.put("component", component);
        Map<String, String> ports = ports(deployment.object());
        FLINK_PORTS.forEach(port -> ports.put(port, port));
        return new Pods(labels, ports);
    }

    private static Pods brokers(BrokerPods pods) {
        Map<String, String> ports = new TreeMap<>();
        pods.ports().forEach(port -> ports.put(port, port));
        return new Pods(pods.labels(), ports);
    }

    private static Map<String, String> ports(Field object) {
        Map<String, String> ports = new TreeMap<>();
        Tree.named(object, "ports")
                .flatMap(list -> list.items().stream())
                .filter(port -> port.find("containerPort").isPresent())
                .forEach(port -> ports.put(port.text("name"), port.text("containerPort")));
        return ports;
    }

    private static void object(Field object, List<Pods> pods, Consumer<Finding> found) {
        for (String name : List.of("podSelector", "labelSelector", "selector")) {
            Tree.named(object, name).forEach(selector -> {
                Map<String, String> wanted = labels(selector);
                if (!wanted.isEmpty() && pods.stream().noneMatch(one -> one.has(wanted))) {
                    found.accept(selector.finding("no pod has the labels " + wanted));
                }
            });
        }
        Tree.named(object, "namespaceSelector")
                .map(selector -> selector.fields("matchLabels"))
                .flatMap(labels -> labels.values().stream())
                .filter(name ->
                        !NAMESPACES.contains(name.text()) || !name.path().endsWith("[kubernetes.io/metadata.name]"))
                .forEach(name -> found.accept(name.finding("of other namespaces there are " + NAMESPACES)));
        switch (object.text("kind")) {
            case "Service" -> service(object, pods, found);
            case "NetworkPolicy" -> policy(object, pods, found);
            case "PodMonitor" -> monitor(object, pods, found);
            case "PodDisruptionBudget" -> {
                if (!object.is("spec.maxUnavailable", "1")) {
                    found.accept(object.nearest("spec.maxUnavailable").finding("one at a time: 1"));
                }
                named(object, labels(object.nearest("spec.selector")), found);
            }
            default -> {}
        }
        boolean isOurs = object.is("kind", "FlinkDeployment");
        if (isOurs
                && !object.texts("spec.podTemplate.metadata.labels").entrySet().containsAll(PART_OF.entrySet())) {
            found.accept(object.nearest("spec.podTemplate.metadata.labels").finding("its pods are part of " + PART_OF));
        }
        probes(object, found);
        scraped(object, found);
        ownPods(object, found);
    }

    private static Map<String, String> labels(Field selector) {
        Map<String, String> labels = new LinkedHashMap<>(selector.texts("matchLabels"));
        if (labels.isEmpty()
                && selector.fields().values().stream().allMatch(one -> one.node() instanceof Node.Scalar)) {
            selector.fields().forEach((name, value) -> labels.put(name, value.text()));
        }
        return labels;
    }

    /** What is called after pods is about them. */
    private static void named(Field object, Map<String, String> wanted, Consumer<Finding> found) {
        if (!object.is("metadata.name", wanted.getOrDefault("app.kubernetes.io/name", ""))) {
            found.accept(object.nearest("metadata.name").finding("it is about the pods " + wanted));
        }
    }

    private static void ownPods(Field object, Consumer<Finding> found) {
        Map<String, String> wanted = object.texts("spec.selector.matchLabels");
        Map<String, String> there = object.texts("spec.template.metadata.labels");
        if (!there.isEmpty() && (wanted.isEmpty() || !there.entrySet().containsAll(wanted.entrySet()))) {
            found.accept(object.nearest("spec.selector").finding("it must select this object's own pods, " + there));
        }
    }

    private static void service(Field service, List<Pods> pods, Consumer<Finding> found) {
        Map<String, String> wanted = labels(service.nearest("spec.selector"));
        // AWS's CNI looks at a packet while it goes to the Service's own address, and knows that one's pods by this
        // alone.
        if (!service.is("spec.clusterIP", "None") && !wanted.entrySet().containsAll(PART_OF.entrySet())) {
            found.accept(service.nearest("spec.selector").finding("policies let out to what is part of " + PART_OF));
        }
        for (Field port : service.items("spec.ports")) {
            boolean isThere = pods.stream().filter(one -> one.has(wanted)).anyMatch(one -> port.text("port")
                    .equals(one.ports().get(port.text("targetPort"))));
            if (!isThere) {
                found.accept(port.finding("its pods have no port '" + port.text("targetPort") + "' with the number "
                        + port.text("port")));
            }
            if (!port.is("name", port.text("targetPort"))) {
                found.accept(port.nearest("name").finding("it must be called as the pod's port is"));
            }
        }
    }

    private static void policy(Field policy, List<Pods> pods, Consumer<Finding> found) {
        List<Pods> own = selected(pods, policy.nearest("spec.podSelector"));
        for (Field rule : policy.items("spec.ingress")) {
            rule.items("ports").forEach(port -> open(port, own, found));
        }
        for (Field rule : policy.items("spec.egress")) {
            List<Pods> others = rule.items("to").stream()
                    .flatMap(peer -> peer.find("podSelector").stream())
                    .flatMap(selector -> selected(pods, selector).stream())
                    .toList();
            for (Field port : rule.items("ports")) {
                if (!others.isEmpty()) {
                    open(port, others, found);
                } else if (!List.of("53", "443").contains(port.text("port"))) {
                    found.accept(port.nearest("port").finding("out of the cluster there are names and the bucket"));
                }
            }
        }
        Set<String> types = new TreeSet<>();
        policy.items("spec.policyTypes").forEach(type -> types.add(type.text()));
        for (String direction : List.of("ingress", "egress")) {
            Optional<Field> rules = policy.find("spec." + direction);
            String type = direction.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + direction.substring(1);
            if (rules.isPresent() && !types.contains(type)) {
                found.accept(policy.nearest("spec.policyTypes").finding("it must name " + type));
            }
        }
    }

    /** Each page is on a port that some of its pods have, and a policy lets the Prometheus in where there are policies. */
    private static void monitor(Field monitor, List<Pods> pods, Consumer<Finding> found) {
        List<Pods> own = selected(pods, monitor.nearest("spec.selector"));
        for (Field page : monitor.items("spec.podMetricsEndpoints")) {
            boolean isThere = page.find("port").isPresent()
                    ? own.stream().anyMatch(one -> one.ports().containsKey(page.text("port")))
                    : own.stream().anyMatch(one -> one.ports().containsValue(page.text("portNumber")));
            if (!isThere) {
                found.accept(page.finding("these pods have no such port"));
            }
            if (!List.of("", "/metrics", "/metrics/").contains(page.text("path"))) {
                found.accept(page.nearest("path").finding("metrics are at /metrics"));
            }
            if (!page.text("interval").matches("[1-9]\\d?s")) {
                found.accept(
                        page.nearest("interval").finding("it must say how many seconds, and rules count in minutes"));
            }
        }
    }

    private static List<Pods> selected(List<Pods> pods, Field selector) {
        return pods.stream().filter(one -> one.has(labels(selector))).toList();
    }

    private static void open(Field port, List<Pods> pods, Consumer<Finding> found) {
        if (pods.stream().noneMatch(one -> one.ports().containsValue(port.text("port")))) {
            found.accept(port.nearest("port").finding("these pods have no port " + port.text("port")));
        }
    }

    private static void probes(Field object, Consumer<Finding> found) {
        Set<String> ports = ports(object).keySet();
        Stream.of("startupProbe", "readinessProbe", "livenessProbe")
                .flatMap(probe -> Tree.named(object, probe))
                .flatMap(probe -> Stream.of("httpGet.port", "tcpSocket.port").flatMap(way -> probe.find(way).stream()))
                .filter(port -> !ports.contains(port.text()))
                .forEach(port -> found.accept(port.finding("the pod's ports are called " + ports)));
    }

    /** Who gathers metrics goes by these annotations. */
    private static void scraped(Field object, Consumer<Finding> found) {
        Tree.named(object, "annotations")
                .forEach(annotations -> annotations.fields().forEach((name, value) -> {
                    Set<String> ports = new TreeSet<>(ports(object).values());
                    boolean isOurs = !object.text("apiVersion").contains("strimzi") && !ports.isEmpty();
                    boolean isRight =
                            switch (name) {
                                case "prometheus.io/scrape" -> value.text().equals("true");
                                case "prometheus.io/port" -> !isOurs || ports.contains(value.text());
                                case "millrace.dev/durability" -> true;
                                default -> false;
                            };
                    if (!isRight) {
                        found.accept(value.finding(
                                "nobody looks for '" + name + "', or the pod has no such port: " + ports));
                    }
                }));
    }
}
