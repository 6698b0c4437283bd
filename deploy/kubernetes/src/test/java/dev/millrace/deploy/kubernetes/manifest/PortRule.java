package dev.millrace.deploy.kubernetes.manifest;

import dev.millrace.deploy.pod.PodPorts;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Ports that are named are there, and are those that the programs listen on. */
final class PortRule implements Rule {
    @Override
    public void check(Stack stack, Consumer<Finding> found) {
        stack.workloads().forEach(workload -> workload(workload, found));
        stack.kind("Service").forEach(service -> {
            for (Field port : service.items("spec.ports")) {
                service(stack, service, port, found);
            }
        });
        stack.kind("NetworkPolicy").forEach(policy -> policy(stack, policy, found));
    }

    private static void workload(Workload workload, Consumer<Finding> found) {
        Set<String> taken = new HashSet<>();
        for (Field port : workload.ports()) {
            if (port.text("name").isEmpty() || !taken.add(port.text("name")) | !taken.add(port.text("containerPort"))) {
                found.accept(port.finding("it must have a name and a number that no other port of the pod has"));
            }
        }
        for (Field container : workload.running()) {
            for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
                for (String way : List.of("httpGet", "tcpSocket")) {
                    container.find(probe + "." + way).ifPresent(action -> probe(workload, action, found));
                }
            }
        }
        listened(workload, found);
    }

    private static void probe(Workload workload, Field action, Consumer<Finding> found) {
        String port = action.text("port");
        boolean isName = workload.ports().stream().anyMatch(one -> one.is("name", port));
        if (!isName) {
            found.accept(action.nearest("port").finding("no port of the pod has the name '" + port + "'"));
        }
        for (Field header : action.items("httpHeaders")) {
            String host = workload.stack().names("Service").contains(workload.name())
                    ? workload.name() + ":" + workload.port(port).orElse("")
                    : "";
            if (!header.is("name", "Host") || !header.is("value", host)) {
                found.accept(
                        header.nearest("value").finding("it must be the service's own name: Host, '" + host + "'"));
            }
        }
    }

    /** What the program of the pod is told to listen on, under the same names. */
    private static void listened(Workload workload, Consumer<Finding> found) {
        Map<String, Integer> wanted = PodPorts.of(workload.name());
        if (wanted.isEmpty()) {
            return;
        }
        Map<String, String> there = workload.ports().stream()
                .collect(Collectors.toMap(
                        port -> port.text("name"), port -> port.text("containerPort"), (one, other) -> one));
        for (Field port : workload.ports()) {
            Integer number = wanted.get(port.text("name"));
            if (number == null || !port.is("containerPort", number.toString())) {
                found.accept(port.nearest("containerPort").finding("the program listens on " + wanted));
            }
        }
        wanted.forEach((name, number) -> {
            if (!there.containsKey(name)) {
                found.accept(workload.object()
                        .nearest("spec.template.spec.containers")
                        .finding("no port has the name '" + name + "', on which the program listens"));
            }
        });
    }

    private static void service(Stack stack, Field service, Field port, Consumer<Finding> found) {
        for (Workload workload : stack.selected(service.texts("spec.selector"))) {
            String target = port.text("targetPort");
            boolean isName = workload.ports().stream().anyMatch(one -> one.is("name", target));
            if (!isName) {
                found.accept(port.nearest("targetPort").finding("no port of the pod has the name '" + target + "'"));
            } else if (!port.is("port", workload.port(target).orElse(""))) {
                found.accept(port.nearest("port")
                        .finding("without an address of its own a service has the pod's port, "
                                + workload.port(target).orElse("")));
            }
            if (!port.is("name", target)) {
                found.accept(port.nearest("name").finding("it must be called as the pod's port is: '" + target + "'"));
            }
        }
    }

    private static void policy(Stack stack, Field policy, Consumer<Finding> found) {
        List<Workload> selected = stack.selected(policy.texts("spec.podSelector.matchLabels"));
        for (Field rule : policy.items("spec.ingress")) {
            for (Field port : rule.items("ports")) {
                boolean isThere = selected.stream().allMatch(workload -> workload.ports().stream()
                        .anyMatch(one -> one.is("containerPort", port.text("port"))));
                if (!isThere) {
                    found.accept(port.nearest("port").finding("these pods have no port " + port.text("port")));
                }
            }
        }
        for (Field rule : policy.items("spec.egress")) {
            for (Field port : rule.items("ports")) {
                // To pods of the stack all ports are open, to anybody else only the names of the cluster.
                if (!port.is("port", "53") || port.text("protocol").isEmpty()) {
                    found.accept(port.nearest("port").finding("out of the stack only names are asked for: port 53"));
                }
            }
        }
    }
}
