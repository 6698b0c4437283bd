package dev.millrace.deploy.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;

/** How objects that a deploy of ours made are told from all others: by two labels. */
public final class Owned {
    public static final String MANAGER = "app.kubernetes.io/managed-by";
    public static final String MILLRACE = "millrace";
    /** Its value is the broker. */
    public static final String STACK = "millrace.dev/stack";

    private Owned() {}

    public static Map<String, String> labels(String broker) {
        return Map.of(MANAGER, MILLRACE, STACK, broker);
    }

    public static boolean is(HasMetadata object, String broker) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels != null && labels.entrySet().containsAll(labels(broker).entrySet());
    }

    /** {@code Kind/name}, as kubectl takes it. */
    public static String name(HasMetadata object) {
        return object.getKind() + "/" + object.getMetadata().getName();
    }
}
