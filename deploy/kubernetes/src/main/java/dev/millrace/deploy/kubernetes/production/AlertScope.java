package dev.millrace.deploy.kubernetes.production;

import dev.millrace.deploy.kubernetes.cluster.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which namespaces an alert looks at: a Prometheus has the series of all stacks. The files of this clone tell stacks by the names that they have without
 * {@code --namespace}; of one stack it is the one namespace, however it is called, and no other stack is held against its thresholds. Stateless.
 */
final class AlertScope {
    static final String KIND = "PrometheusRule";
    /** As the files have it. */
    static final String ALL_STACKS = "namespace=~\"millrace-.*\"";

    private AlertScope() {}

    /** Expressions as they are for one namespace, by the JSON pointers to them; only those that are others then. */
    static Map<String, String> narrowed(GenericKubernetesResource rule, String namespace) {
        Map<String, String> narrowed = new LinkedHashMap<>();
        String one = "namespace=\"" + namespace + "\"";
        List<?> groups = (List<?>) Fields.at(rule, "spec.groups").orElse(List.of());
        for (int i = 0; i < groups.size(); i++) {
            List<?> rules = (List<?>) Fields.at(groups.get(i), "rules").orElse(List.of());
            for (int j = 0; j < rules.size(); j++) {
                String expression =
                        Fields.at(rules.get(j), "expr").map(Object::toString).orElse("");
                if (expression.contains(ALL_STACKS)) {
                    narrowed.put("/spec/groups/" + i + "/rules/" + j + "/expr", expression.replace(ALL_STACKS, one));
                }
            }
        }
        return narrowed;
    }
}
