package dev.millrace.deploy.kubernetes.manifest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** An object that makes pods. Immutable. */
record Workload(Stack stack, Field object) {
    /** Not the stack, which has this one in it. */
    @Override
    public String toString() {
        return name();
    }

    static final String OWN_IMAGE = "millrace";
    static final String BROKER_IMAGE = "millrace-broker";

    String name() {
        return object.text("metadata.name");
    }

    Field pod() {
        return object.nearest("spec.template.spec");
    }

    /** Of its pods, with those that kustomize puts on top. */
    Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>(object.texts("spec.template.metadata.labels"));
        labels.putAll(stack.labels());
        return labels;
    }

    /** Those that run as long as the pod. */
    List<Field> running() {
        return pod().items("containers");
    }

    List<Field> containers() {
        return Stream.concat(pod().items("initContainers").stream(), running().stream())
                .toList();
    }

    List<Field> ports() {
        return running().stream()
                .flatMap(container -> container.items("ports").stream())
                .toList();
    }

    /** The port's number, by its name or its number. */
    Optional<String> port(String wanted) {
        return ports().stream()
                .filter(port -> port.is("name", wanted) || port.is("containerPort", wanted))
                .map(port -> port.text("containerPort"))
                .findFirst();
    }

    /** By name; claims of its own are volumes too. */
    Map<String, Field> volumes() {
        Map<String, Field> volumes = new LinkedHashMap<>();
        pod().items("volumes").forEach(volume -> volumes.put(volume.text("name"), volume));
        object.items("spec.volumeClaimTemplates").forEach(claim -> volumes.put(claim.text("metadata.name"), claim));
        return volumes;
    }

    /** The files that a volume is made of, where they are known. */
    List<SettingsFile> settings(Field volume) {
        return Stream.concat(Stream.of(volume), volume.items("projected.sources").stream())
                .flatMap(source -> stack.configMaps().getOrDefault(source.text("configMap.name"), List.of()).stream())
                .toList();
    }
}
