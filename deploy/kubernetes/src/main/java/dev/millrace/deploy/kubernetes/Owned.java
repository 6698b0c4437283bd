package dev.millrace.deploy.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;

/** How objects that a deploy of ours made are told from all others: by two labels. */
final class Owned {
    static final String MANAGER = "app.kubernetes.io/managed-by";
    static final String MILLRACE = "millrace";
    /** Its value is the broker. */
    static final String STACK = "millrace.dev/stack";

    private Owned() {}

    static Map<String, String> labels(String broker) {
        return Map.of(MANAGER, MILLRACE, STACK, broker);
    }

    static boolean is(HasMetadata object, String broker) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels != null && labels.entrySet().containsAll(labels(broker).entrySet());
    }

    /** {@code Kind/name}, as kubectl takes it. */
    static String name(HasMetadata object) {
        return object.getKind() + "/" + object.getMetadata().getName();
    }
}
