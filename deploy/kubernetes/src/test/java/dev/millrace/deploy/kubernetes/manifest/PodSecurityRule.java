package dev.millrace.deploy.kubernetes.manifest;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What the profile {@code restricted} of Pod Security wants, and the house beyond it: no token, bounds, probes. */
final class PodSecurityRule implements Rule {
    /** High enough to be nobody's on a node. */
    private static final String USER = "10001";

    private static final Map<String, String> POD = Map.of(
            "automountServiceAccountToken", "false",
            // The cluster's own variables would be taken for settings.
            "enableServiceLinks", "false",
            "securityContext.runAsNonRoot", "true",
            "securityContext.runAsUser", USER,
            "securityContext.runAsGroup", USER,
            "securityContext.fsGroup", USER,
            "securityContext.seccompProfile.type", "RuntimeDefault");

    private static final Map<String, String> CONTAINER = Map.of(
            "securityContext.allowPrivilegeEscalation", "false",
            "securityContext.readOnlyRootFilesystem", "true");

    /** No word but these below a security context: each of the others loosens it. */
    private static final List<String> LOOSENING = List.of("privileged", "procMount", "capabilities.add", "runAsUser");

    @Override
    public void check(Stack stack, Consumer<Finding> found) {
        stack.kind("ServiceAccount")
                .forEach(account -> must(account, Map.of("automountServiceAccountToken", "false"), found));
        for (Workload workload : stack.workloads()) {
            must(workload.pod(), POD, found);
            for (String host : List.of("hostNetwork", "hostPID", "hostIPC")) {
                workload.pod().find(host).ifPresent(field -> found.accept(field.finding("no pod is the host's")));
            }
            workload.pod()
                    .find("terminationGracePeriodSeconds")
                    .filter(field -> !field.text().matches("[3-9]\\d|1\\d\\d"))
                    .ifPresent(field -> found.accept(field.finding("it must be 30 to 199 s; 30 is the default")));
            workload.containers().forEach(container -> container(container, found));
            workload.running().forEach(container -> probes(container, found));
        }
    }

    private static void container(Field container, Consumer<Finding> found) {
        must(container, CONTAINER, found);
        List<String> dropped = container.items("securityContext.capabilities.drop").stream()
                .map(Field::text)
                .toList();
        if (!dropped.equals(List.of("ALL"))) {
            found.accept(container.nearest("securityContext.capabilities.drop").finding("it must drop ALL"));
        }
        for (String loosening : LOOSENING) {
            container
                    .find("securityContext." + loosening)
                    .ifPresent(field -> found.accept(field.finding("it loosens what the pod says")));
        }
        for (String bound : List.of("resources.requests.cpu", "resources.requests.memory", "resources.limits.memory")) {
            if (container.find(bound).isEmpty()) {
                found.accept(container.nearest("resources").finding("it does not say " + bound));
            }
        }
        long wanted = Formats.bytes(container.text("resources.requests.memory"));
        long limit = Formats.bytes(container.text("resources.limits.memory"));
        if (wanted < 256L << 20 || wanted > limit || limit > 2.5 * wanted) {
            found.accept(
                    container
                            .nearest("resources.limits.memory")
                            .finding(
                                    "of memory it must want 256Mi or more, and not be held to less, nor to over 2.5 times that"));
        }
        if (!container.text("resources.requests.cpu").matches("\\d{2,3}m|[1-4]")) {
            found.accept(container.nearest("resources.requests.cpu").finding("it must be 10m to 4"));
        }
    }

    private static void probes(Field container, Consumer<Finding> found) {
        if (container.text("resources.requests.cpu").matches("\\d{2}m")) {
            found.accept(
                    container.nearest("resources.requests.cpu").finding("what goes on running needs 100m or more"));
        }
        for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
            Field there = container.nearest(probe);
            if (container.find(probe).isEmpty()) {
                found.accept(there.finding("it has no " + probe));
                continue;
            }
            for (String number : List.of("periodSeconds", "failureThreshold")) {
                if (there.find(number).isEmpty()) {
                    found.accept(there.finding("it does not say " + number));
                }
            }
        }
        // Whoever starts slowly is not killed for it.
        int patience =
                number(container, "startupProbe.periodSeconds") * number(container, "startupProbe.failureThreshold");
        if (patience < 120 || patience > 300) {
            found.accept(
                    container.nearest("startupProbe").finding("a start may take 120 to 300 s, not " + patience + " s"));
        }
        for (String probe : List.of("readinessProbe", "livenessProbe")) {
            int seconds = number(container, probe + ".periodSeconds") * number(container, probe + ".failureThreshold");
            if (seconds < 10 || seconds > 60) {
                found.accept(
                        container.nearest(probe).finding("it must find out within 10 to 60 s, not " + seconds + " s"));
            }
        }
    }

    private static int number(Field container, String path) {
        String text = container.text(path);
        return text.matches("\\d{1,6}") ? Integer.parseInt(text) : 0;
    }

    private static void must(Field field, Map<String, String> wanted, Consumer<Finding> found) {
        wanted.forEach((name, value) -> {
            if (!field.is(name, value)) {
                found.accept(field.nearest(name).finding(name + " must be " + value));
            }
        });
    }
}
