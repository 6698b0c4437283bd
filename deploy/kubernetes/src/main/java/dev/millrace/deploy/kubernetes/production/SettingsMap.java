package dev.millrace.deploy.kubernetes.production;

import dev.millrace.deploy.kubernetes.cluster.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** ConfigMaps that are to be applied, with files of settings in them. Stateless. */
final class SettingsMap {
    /** What all that look at the stack are told. */
    static final String STACK = "stack";

    static final String STACK_FILE = "stack.properties";
    /** What the job is told. */
    static final String JOB = "job";

    static final String JOB_FILE = "job.properties";

    private SettingsMap() {}

    static Optional<GenericKubernetesResource> named(List<GenericKubernetesResource> objects, String name) {
        return objects.stream()
                .filter(object -> object.getKind().equals("ConfigMap")
                        && object.getMetadata().getName().equals(name))
                .findFirst();
    }

    /** Texts by file; none where the map is not there. */
    static Map<String, String> files(List<GenericKubernetesResource> objects, String name) {
        Map<String, String> files = new TreeMap<>();
        named(objects, name).flatMap(map -> Fields.at(map, "data")).ifPresent(data -> ((Map<?, ?>) data)
                .forEach((file, text) -> files.put(file.toString(), text.toString())));
        return files;
    }
}
