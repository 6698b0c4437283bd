package dev.millrace.deploy.kubernetes.manifest;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What the models' types do not say: words that a field takes, how names are written, amounts, and what excludes each other. */
final class Formats {
    private static final String NAME = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Set<String> POLICY = Set.of("Cluster", "Local");
    private static final Set<String> PROTOCOL = Set.of("TCP", "UDP", "SCTP");
    private static final Set<String> SELECTOR = Set.of("In", "NotIn", "Exists", "DoesNotExist");

    /** By the model and its field; of a list, what each item may be. */
    private static final Map<String, Set<String>> WORDS = Map.ofEntries(
            entry("V1Capabilities.drop", Set.of("ALL")),
            entry("V1Container.imagePullPolicy", Set.of("Always", "IfNotPresent", "Never")),
            entry("V1Container.terminationMessagePolicy", Set.of("File", "FallbackToLogsOnError")),
            entry("V1ContainerPort.protocol", PROTOCOL),
            entry("V1DeploymentStrategy.type", Set.of("Recreate", "RollingUpdate")),
            entry("V1EmptyDirVolumeSource.medium", Set.of("Memory")),
            entry("V1HTTPGetAction.scheme", Set.of("HTTP", "HTTPS")),
            entry("V1LabelSelectorRequirement.operator", SELECTOR),
            entry("V1NetworkPolicyPort.protocol", PROTOCOL),
            entry("V1NetworkPolicySpec.policyTypes", Set.of("Ingress", "Egress")),
            entry(
                    "V1ObjectFieldSelector.fieldPath",
                    Set.of("metadata.name", "metadata.namespace", "status.podIP", "status.hostIP", "spec.nodeName")),
            entry(
                    "V1PersistentVolumeClaimSpec.accessModes",
                    Set.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")),
            entry("V1PersistentVolumeClaimSpec.volumeMode", Set.of("Filesystem", "Block")),
            entry("V1PodAffinityTerm.topologyKey", Set.of("kubernetes.io/hostname", "topology.kubernetes.io/zone")),
            entry("V1PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy", Set.of("AlwaysAllow", "IfHealthyBudget")),
            entry("V1PodSecurityContext.fsGroupChangePolicy", Set.of("OnRootMismatch", "Always")),
            entry("V1PodSpec.dnsPolicy", Set.of("ClusterFirst", "Default", "None")),
            entry("V1PodSpec.restartPolicy", Set.of("Always")),
            entry("V1SeccompProfile.type", Set.of("RuntimeDefault")),
            entry("V1ServicePort.protocol", PROTOCOL),
            entry("V1ServiceSpec.clusterIP", Set.of("None")),
            entry("V1ServiceSpec.externalTrafficPolicy", POLICY),
            entry("V1ServiceSpec.internalTrafficPolicy", POLICY),
            entry("V1ServiceSpec.sessionAffinity", Set.of("None", "ClientIP")),
            entry("V1ServiceSpec.type", Set.of("ClusterIP", "NodePort", "LoadBalancer")),
            entry("V1StatefulSetSpec.podManagementPolicy", Set.of("OrderedReady", "Parallel")),
            entry("V1StatefulSetUpdateStrategy.type", Set.of("RollingUpdate", "OnDelete")),
            entry("V1Toleration.effect", Set.of("NoSchedule", "PreferNoSchedule", "NoExecute")),
            entry("V1Toleration.operator", Set.of("Exists", "Equal")),
            entry("V1TopologySpreadConstraint.whenUnsatisfiable", Set.of("DoNotSchedule", "ScheduleAnyway")));

    /** By the model and its field. */
    private static final Map<String, String> PATTERNS = Map.ofEntries(
            entry("Generator.name", NAME),
            entry("Kustomization.namespace", NAME),
            entry("V1Container.name", NAME),
            entry("V1ContainerPort.containerPort", "[1-9]\\d{0,4}"),
            entry("V1ContainerPort.name", "(?=.{1,15}$)[a-z0-9]+(-[a-z0-9]+)*"),
            entry("V1EnvVar.name", "[A-Z][A-Z0-9_]*"),
            entry("V1EnvVar.value", ".+"),
            entry("V1HTTPGetAction.path", "/.*"),
            entry("V1NetworkPolicyPort.port", "[1-9]\\d{0,4}"),
            entry("V1ObjectMeta.name", NAME),
            entry("V1Probe.failureThreshold", "[1-9]\\d*"),
            entry("V1Probe.periodSeconds", "[1-9]\\d*"),
            entry("V1Probe.timeoutSeconds", "[1-9]\\d*"),
            entry("V1ServicePort.name", NAME),
            entry("V1ServicePort.port", "[1-9]\\d{0,4}"),
            entry("V1Volume.name", NAME),
            entry("V1VolumeMount.mountPath", "/[a-z/.-]+"),
            // Binary units only: 768m of memory is less than one byte, and 5G is not 5Gi.
            entry("V1EmptyDirVolumeSource.sizeLimit", "[1-9]\\d*[MG]i"));

    /** Kubernetes' own, one of ours, and those that operators and charts give their pods; any other is a misspelt one. */
    private static final Set<String> LABELS = Set.of(
            "app",
            "component",
            "strimzi.io/cluster",
            "strimzi.io/pool-name",
            "app.kubernetes.io/name",
            "app.kubernetes.io/part-of",
            "app.kubernetes.io/managed-by",
            "millrace.dev/stack",
            "grafana_dashboard",
            "kubernetes.io/metadata.name");

    private static final Set<String> WITH_LABELS =
            Set.of("Pairs.pairs", "V1LabelSelector.matchLabels", "V1ObjectMeta.labels", "V1ServiceSpec.selector");

    /** What an amount is of, with how it is written. */
    private static final Map<String, Map<String, String>> AMOUNTS = Map.of(
            "V1ResourceRequirements.requests", Map.of("cpu", "[1-9]\\d*m?", "memory", "[1-9]\\d*[MG]i"),
            "V1ResourceRequirements.limits", Map.of("memory", "[1-9]\\d*[MG]i"),
            "V1VolumeResourceRequirements.requests", Map.of("storage", "[1-9]\\d*Gi"));

    private static final Map<String, Set<String>> ONE_OF = Map.of(
            "V1Probe", Set.of("httpGet", "tcpSocket", "exec", "grpc"),
            "V1EnvVar", Set.of("value", "valueFrom"),
            "V1EnvVarSource", Set.of("fieldRef", "secretKeyRef", "configMapKeyRef", "resourceFieldRef"),
            "V1Volume", Set.of("configMap", "emptyDir", "persistentVolumeClaim", "projected", "secret"),
            "V1VolumeProjection", Set.of("configMap", "secret", "downwardAPI"),
            "V1PodDisruptionBudgetSpec", Set.of("maxUnavailable", "minAvailable"));

    private Formats() {}

    /** What is wrong with a field's value, beyond its type. */
    static Optional<String> problem(String field, Field value) {
        if (WITH_LABELS.contains(field)) {
            return unknown(value, LABELS, "label");
        }
        if (AMOUNTS.containsKey(field)) {
            return amounts(value, AMOUNTS.get(field));
        }
        Set<String> words = WORDS.get(field);
        if (words != null) {
            return scalars(value).stream()
                    .filter(text -> !words.contains(text))
                    .map(text -> "it is '" + text + "'; it must be one of " + new TreeSet<>(words))
                    .findFirst();
        }
        String pattern = PATTERNS.get(field);
        return pattern == null || Pattern.matches(pattern, value.text())
                ? Optional.empty()
                : Optional.of("'" + value.text() + "' is not written as it must be: " + pattern);
    }

    private static List<String> scalars(Field value) {
        return value.node() instanceof Node.Sequence
                ? value.items().stream().map(Field::text).toList()
                : List.of(value.text());
    }

    private static Optional<String> unknown(Field value, Set<String> known, String what) {
        return value.fields().keySet().stream()
                .filter(name -> !known.contains(name))
                .map(name -> "there is no " + what + " '" + name + "'; there are " + new TreeSet<>(known))
                .findFirst();
    }

    private static Optional<String> amounts(Field value, Map<String, String> patterns) {
        return unknown(value, patterns.keySet(), "resource to ask for").or(() -> value.fields().entrySet().stream()
                .filter(one -> !one.getValue().text().matches(patterns.get(one.getKey())))
                .map(one -> "'" + one.getValue().text() + "' is no amount of " + one.getKey() + ": "
                        + patterns.get(one.getKey()))
                .findFirst());
    }

    /** What is wrong with the fields that are there together. */
    static Optional<String> choice(String model, Set<String> fields) {
        Set<String> choices = ONE_OF.get(model);
        if (choices == null || fields.stream().filter(choices::contains).count() == 1) {
            return Optional.empty();
        }
        return Optional.of("it must have exactly one of " + new TreeSet<>(choices));
    }

    /** An amount of memory or of a disk in bytes; 0 where it is none. */
    static long bytes(String amount) {
        if (!amount.matches("\\d+[KMG]i?")) {
            return 0;
        }
        long number = Long.parseLong(amount.replaceAll("\\D", ""));
        return number << 10 * ("KMG".indexOf(amount.replaceAll("[\\di]", "")) + 1);
    }
}
