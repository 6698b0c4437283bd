package dev.millrace.deploy.kubernetes.manifest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * StatefulSets in the place of what a broker's operator or chart makes, out of the same fields of the same objects: for a scheduler the same
 * pods, with nothing in them. They stand for the operator; they do not show that it does what {@code pods.yaml} says.
 */
final class PretendedPods {
    private PretendedPods() {}

    static String yaml(List<BrokerPods> all) {
        return all.stream().map(PretendedPods::yaml).collect(Collectors.joining("---\n"));
    }

    private static String yaml(BrokerPods pods) {
        Map<String, String> labels = new LinkedHashMap<>(pods.labels());
        labels.put("pretended", pods.name());
        String placing = pods.placing().entrySet().stream()
                .map(part ->
                        "      " + part.getKey() + ": " + flow(part.getValue().node()) + "\n")
                .collect(Collectors.joining());
        String apart = pods.isApart()
                ? "      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
                        + " kubernetes.io/hostname, labelSelector: {matchLabels: {pretended: " + pods.name()
                        + "}}}]}}\n"
                : "";
        String claims = pods.claims().stream()
                .map(claim -> "    - metadata: {name: " + claim.name() + "}\n"
                        + "      spec: {accessModes: [ReadWriteOnce], storageClassName: " + claim.storageClass()
                        + ", resources: {requests: {storage: " + claim.size() + "}}}\n")
                .collect(Collectors.joining());
        return "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: " + pods.name() + "}\nspec:\n"
                + "  replicas: " + pods.replicas() + "\n"
                + "  serviceName: " + pods.name() + "\n"
                + "  podManagementPolicy: Parallel\n"
                + "  selector: {matchLabels: {pretended: " + pods.name() + "}}\n"
                + "  template:\n"
                + "    metadata: {labels: {" + words(labels) + "}}\n"
                + "    spec:\n" + placing + apart
                + "      containers:\n"
                + "        - {name: server, image: pretended, resources: "
                + flow(pods.resources().node()) + "}\n"
                + (claims.isEmpty() ? "" : "  volumeClaimTemplates:\n" + claims);
    }

    private static String words(Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(label -> label.getKey() + ": " + label.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String flow(Node node) {
        if (node instanceof Node.Mapping mapping) {
            return mapping.fields().entrySet().stream()
                    .map(field -> "\"" + field.getKey() + "\": " + flow(field.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (node instanceof Node.Sequence list) {
            return list.items().stream().map(PretendedPods::flow).collect(Collectors.joining(", ", "[", "]"));
        }
        Node.Scalar scalar = (Node.Scalar) node;
        return scalar.quoted() ? "\"" + scalar.text() + "\"" : scalar.text();
    }
}
