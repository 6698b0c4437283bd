package dev.millrace.deploy.kubernetes.manifest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The objects that belong together: an overlay with all that it builds on, joined as kustomize does. Immutable.
 *
 * @param broker the folder's name in {@code brokers/}
 * @param files all that lie in the folders that are joined
 * @param kustomizations the overlay's first
 * @param workloads the objects that make pods
 * @param configMaps the files in each, by name
 * @param labels what every object and every pod gets on top
 */
record Stack(
        String broker,
        List<String> files,
        List<Manifest> kustomizations,
        List<Manifest> objects,
        List<Workload> workloads,
        Map<String, List<SettingsFile>> configMaps,
        Map<String, String> labels) {

    static Stack of(Manifests manifests, String overlay) {
        Stack stack = empty(overlay.split("/")[1]);
        stack.join(manifests, overlay);
        return stack.complete();
    }

    /** Of objects that are joined already. */
    static Stack of(String broker, List<Manifest> objects) {
        Stack stack = empty(broker);
        stack.objects.addAll(objects);
        return stack.complete();
    }

    private static Stack empty(String broker) {
        return new Stack(
                broker,
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new LinkedHashMap<>(),
                new LinkedHashMap<>());
    }

    private Stack complete() {
        objects.stream()
                .map(Manifest::object)
                .filter(object -> object.find("spec.template").isPresent())
                .forEach(object -> workloads.add(new Workload(this, object)));
        return this;
    }

    private void join(Manifests manifests, String folder) {
        manifests.files().filter(file -> parent(file).equals(folder)).forEach(files::add);
        for (Manifest kustomization :
                manifests.objects().getOrDefault(folder + "/" + Manifests.KUSTOMIZATION, List.of())) {
            kustomizations.add(kustomization);
            for (Field resource : kustomization.object().items("resources")) {
                String path = resolved(folder, resource.text());
                if (manifests.objects().containsKey(path)) {
                    objects.addAll(manifests.objects().get(path));
                } else if (manifests.objects().containsKey(path + "/" + Manifests.KUSTOMIZATION)) {
                    join(manifests, path);
                }
            }
            for (Field generator : kustomization.object().items("configMapGenerator")) {
                configMaps.put(
                        generator.text("name"),
                        generator.items("files").stream()
                                .map(file -> manifests.settings().get(resolved(folder, file.text())))
                                .filter(file -> file != null)
                                .toList());
            }
            // The overlay's come last and win.
            kustomization.object().items("labels").forEach(label -> labels.putAll(label.texts("pairs")));
        }
    }

    static String parent(String file) {
        return file.substring(0, Math.max(0, file.lastIndexOf('/')));
    }

    /** The file or folder that a kustomization in a folder names. */
    static String resolved(String folder, String named) {
        return Path.of(folder).resolve(named).normalize().toString().replace('\\', '/');
    }

    Stream<Field> kind(String kind) {
        return objects.stream().filter(object -> object.kind().equals(kind)).map(Manifest::object);
    }

    boolean has(String kind, String name) {
        return kind(kind).anyMatch(object -> object.is("metadata.name", name));
    }

    List<String> names(String kind) {
        return kind(kind).map(object -> object.text("metadata.name")).toList();
    }

    /** The workloads whose pods have all of these labels. */
    List<Workload> selected(Map<String, String> wanted) {
        return workloads.stream()
                .filter(workload ->
                        !wanted.isEmpty() && workload.labels().entrySet().containsAll(wanted.entrySet()))
                .toList();
    }
}
