package dev.millrace.deploy.kubernetes.manifest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All files that are applied to a cluster, in memory. Immutable.
 *
 * @param objects by file
 * @param settings by file; what is not YAML
 * @param unreadable files that are no YAML
 */
record Manifests(Map<String, List<Manifest>> objects, Map<String, SettingsFile> settings, List<Finding> unreadable) {
    static final String KUSTOMIZATION = "kustomization.yaml";
    static final String BASE = "deploy/kubernetes/base";
    /** The size that needs no operators, so no kinds but Kubernetes' own. */
    private static final String OVERLAYS = "brokers/[^/]+/deploy/kubernetes/tiny";

    static final Path ROOT = Path.of(System.getProperty("millrace.root", "../.."))
            .toAbsolutePath()
            .normalize();

    /** Those of this clone. */
    static Manifests ofClone() {
        Map<String, String> texts = new TreeMap<>();
        List<Path> folders = new ArrayList<>(List.of(ROOT.resolve(BASE)));
        children(ROOT.resolve("brokers")).forEach(broker -> folders.add(broker.resolve("deploy/kubernetes/tiny")));
        folders.stream()
                .flatMap(Manifests::children)
                .filter(Files::isRegularFile)
                .forEach(file -> {
                    String path = ROOT.relativize(file).toString().replace('\\', '/');
                    texts.put(path, read(file));
                });
        return of(texts);
    }

    static Manifests of(Map<String, String> texts) {
        Map<String, List<Manifest>> objects = new LinkedHashMap<>();
        Map<String, SettingsFile> settings = new LinkedHashMap<>();
        List<Finding> unreadable = new ArrayList<>();
        texts.forEach((file, text) -> {
            if (!file.endsWith(".yaml")) {
                settings.put(file, SettingsFile.of(file, text));
                return;
            }
            try {
                objects.put(
                        file,
                        YamlText.documents(text).stream()
                                .map(root -> new Manifest(file, root))
                                .toList());
            } catch (YamlText.Unreadable e) {
                objects.put(file, List.of());
                unreadable.add(new Finding(file, e.line, "", "", e.getMessage()));
            }
        });
        return new Manifests(objects, settings, unreadable);
    }

    /** The same with another object in the place of one. */
    Manifests with(Manifest old, Manifest other) {
        Map<String, List<Manifest>> changed = new LinkedHashMap<>(objects);
        changed.computeIfPresent(old.file(), (file, list) -> list.stream()
                .map(one -> one == old ? other : one)
                .toList());
        return new Manifests(changed, settings, unreadable);
    }

    /** The same with another text in a file of settings. */
    Manifests with(SettingsFile file) {
        Map<String, SettingsFile> changed = new LinkedHashMap<>(settings);
        changed.put(file.file(), file);
        return new Manifests(objects, changed, unreadable);
    }

    /** The folders that are applied: each is a whole stack. */
    List<String> overlays() {
        return objects.keySet().stream()
                .filter(file -> file.endsWith("/" + KUSTOMIZATION))
                .map(file -> file.substring(0, file.lastIndexOf('/')))
                .filter(folder -> folder.matches(OVERLAYS))
                .toList();
    }

    Stream<String> files() {
        return Stream.concat(objects.keySet().stream(), settings.keySet().stream());
    }

    static Stream<Path> children(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Stream.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
