package dev.millrace.deploy.kubernetes.manifest;

import com.google.gson.annotations.SerializedName;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fields of one kind of object, out of a class: a generated model of Kubernetes, or a record of ours. Immutable.
 *
 * @param name the class's, without its package
 */
record Model(String name, Map<String, Type> fields, Set<String> required) {
    private static final Map<Class<?>, Model> KNOWN = new ConcurrentHashMap<>();

    static Model of(Class<?> type) {
        return KNOWN.computeIfAbsent(type, Model::read);
    }

    private static Model read(Class<?> type) {
        Map<String, Type> fields = new LinkedHashMap<>();
        try {
            if (type.isRecord()) {
                for (RecordComponent component : type.getRecordComponents()) {
                    fields.put(component.getName(), component.getGenericType());
                }
                return new Model(type.getSimpleName(), fields, names(type, "REQUIRED"));
            }
            for (Field field : type.getDeclaredFields()) {
                SerializedName name = field.getAnnotation(SerializedName.class);
                if (name != null) {
                    fields.put(name.value(), field.getGenericType());
                }
            }
            if (fields.isEmpty() && !names(type, "openapiFields").isEmpty()) {
                throw new IllegalStateException(type + " is not made as its siblings are");
            }
            return new Model(type.getSimpleName(), fields, names(type, "openapiRequiredFields"));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<String> names(Class<?> type, String constant) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(constant);
        field.setAccessible(true);
        Set<String> names = new TreeSet<>();
        ((Collection<?>) field.get(null)).forEach(name -> names.add(name.toString()));
        return names;
    }

    /** What may stand in a {@code kustomization.yaml} here: far less than kustomize takes. */
    record Kustomization(
            String apiVersion,
            String kind,
            String namespace,
            List<String> resources,
            List<Generator> configMapGenerator,
            List<Pairs> labels) {
        static final Set<String> REQUIRED = Set.of("apiVersion", "kind", "resources", "labels");

        /** A ConfigMap out of files. */
        record Generator(String name, List<String> files) {
            static final Set<String> REQUIRED = Set.of("name", "files");
        }

        /** Labels for all objects. */
        record Pairs(Map<String, String> pairs, Boolean includeTemplates) {
            static final Set<String> REQUIRED = Set.of("pairs", "includeTemplates");
        }
    }
}
