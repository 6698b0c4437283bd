package dev.millrace.deploy.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Fields of an object that no model knows, by paths such as {@code spec.job.parallelism}; a key may have dots itself. */
public final class Fields {
    private Fields() {}

    public static Optional<Object> at(GenericKubernetesResource object, String path) {
        return at(object.getAdditionalProperties(), path);
    }

    public static String text(GenericKubernetesResource object, String path) {
        return at(object, path).map(Object::toString).orElse("");
    }

    public static Optional<Object> at(Object tree, String path) {
        if (!(tree instanceof Map<?, ?> map)) {
            return Optional.empty();
        }
        if (map.get(path) != null) {
            return Optional.of(map.get(path));
        }
        for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
            Object below = map.get(path.substring(0, dot));
            if (below != null) {
                return at(below, path.substring(dot + 1));
            }
        }
        return Optional.empty();
    }

    /** Sets a field whose parents are there; its own name has no dot. */
    @SuppressWarnings("unchecked")
    public static void set(GenericKubernetesResource object, String path, Object value) {
        int dot = path.lastIndexOf('.');
        Object parent = at(object, path.substring(0, dot))
                .orElseThrow(() -> new IllegalStateException("there is no " + path + " in " + Owned.name(object)));
        ((Map<String, Object>) parent).put(path.substring(dot + 1), value);
    }

    /** The first value of a key at any depth. */
    public static Optional<Object> anywhere(Object tree, String key) {
        if (tree instanceof List<?> list) {
            return list.stream()
                    .flatMap(item -> anywhere(item, key).stream())
                    .findFirst()
                    .map(Object.class::cast);
        }
        if (!(tree instanceof Map<?, ?> map)) {
            return Optional.empty();
        }
        if (map.get(key) != null) {
            return Optional.of(map.get(key));
        }
        return map.values().stream()
                .flatMap(value -> anywhere(value, key).stream())
                .findFirst()
                .map(Object.class::cast);
    }
}
