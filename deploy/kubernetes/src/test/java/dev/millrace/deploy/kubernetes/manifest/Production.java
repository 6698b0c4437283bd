package dev.millrace.deploy.kubernetes.manifest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of the production shape: what is applied, what is put on top of it, values of charts, settings. Immutable.
 *
 * @param files by path; what is no object has an empty kind
 */
record Production(Manifests files) {
    private static final Manifests SMALL = Manifests.ofClone();
    static final String SIZE = "c5-i7i";
    static final String NEUTRAL = "deploy/kubernetes/" + SIZE;
    static final String CLUSTER = NEUTRAL + "/cluster";
    /** Below the neutral folder and each broker's: a component, for where the kinds are that it has. */
    static final String MONITORING = "/monitoring";

    /** Of a component what has to do with pods; the rest of it is looked at by file. */
    private static final List<String> MONITORED = List.of("PodMonitor", "NetworkPolicy");

    /** Of the small size, what this one takes over. */
    private static final List<String> TAKEN = List.of(
            "ServiceAccount/millrace", "Service/generator", "StatefulSet/generator", "NetworkPolicy/nothing-else");

    static Production ofClone() {
        Map<String, String> texts = new TreeMap<>();
        Stream.concat(
                        Stream.of(Manifests.ROOT.resolve(NEUTRAL)),
                        Manifests.children(Manifests.ROOT.resolve("brokers"))
                                .map(broker -> broker.resolve("deploy/kubernetes/" + SIZE)))
                .filter(Files::isDirectory)
                .flatMap(Production::below)
                .filter(file -> !file.toString().endsWith(".md"))
                .forEach(file ->
                        texts.put(Manifests.ROOT.relativize(file).toString().replace('\\', '/'), text(file)));
        return new Production(Manifests.of(texts));
    }

    private static Stream<Path> below(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A list of operations gets a name instead of the comment that it begins with, so that it is an object too. */
    private static String text(Path file) {
        String text = Manifests.read(file);
        return text.contains("\n- op: ") ? text.replaceFirst("#[^\n]*", "operations:") : text;
    }

    /** All that is read as YAML, file by file. */
    Stream<Manifest> documents() {
        return files.objects().values().stream().flatMap(List::stream);
    }

    /** Of the small size, and of this one. */
    boolean has(Manifest except, String id) {
        return Stream.concat(documents(), SMALL.objects().values().stream().flatMap(List::stream))
                .anyMatch(other -> other != except && other.id().equals(id));
    }

    Stream<Manifest> in(String file) {
        return files.objects().getOrDefault(file, List.of()).stream();
    }

    /** The brokers that have this size. */
    List<String> brokers() {
        return files.objects().keySet().stream()
                .filter(file -> file.matches("brokers/[^/]+/.*/" + SIZE + "/" + Manifests.KUSTOMIZATION))
                .map(file -> file.split("/")[1])
                .toList();
    }

    static String folder(String broker) {
        return "brokers/" + broker + "/deploy/kubernetes/" + SIZE;
    }

    /** What is put on top of an object that is elsewhere: a part of it only. */
    boolean isPatch(Manifest document) {
        return kustomizations().anyMatch(kustomization -> kustomization.object().items("patches").stream()
                .map(patch -> Stack.resolved(Stack.parent(kustomization.file()), patch.text("path")))
                .anyMatch(document.file()::equals));
    }

    Stream<Manifest> kustomizations() {
        return documents().filter(one -> one.file().endsWith("/" + Manifests.KUSTOMIZATION));
    }

    /** The objects of a stack: the neutral ones, what is taken over from the small size, the broker's, and what monitors them. */
    List<Manifest> objects(String broker) {
        Stream<Manifest> taken = SMALL.objects().entrySet().stream()
                .filter(file -> file.getKey().startsWith(Manifests.BASE + "/"))
                .flatMap(file -> file.getValue().stream())
                .filter(object -> TAKEN.contains(object.id()));
        Stream<Manifest> own = documents()
                .filter(one -> List.of(NEUTRAL, folder(broker)).contains(Stack.parent(one.file())))
                .filter(one -> !one.kind().isEmpty() && !one.kind().equals("Kustomization"));
        Stream<Manifest> monitoring = documents()
                .filter(one -> List.of(NEUTRAL + MONITORING, folder(broker) + MONITORING)
                        .contains(Stack.parent(one.file())))
                .filter(one -> MONITORED.contains(one.kind()));
        return Stream.of(taken, own, monitoring).flatMap(objects -> objects).toList();
    }

    /** ConfigMaps by name, with the files in them. */
    Map<String, List<SettingsFile>> configMaps(String broker) {
        Map<String, List<SettingsFile>> maps = new LinkedHashMap<>();
        kustomizations()
                .filter(one -> List.of(NEUTRAL, folder(broker)).contains(Stack.parent(one.file())))
                .forEach(one -> one.object()
                        .items("configMapGenerator")
                        .forEach(map -> maps.put(
                                map.text("name"),
                                map.items("files").stream()
                                        .map(file -> Stack.resolved(Stack.parent(one.file()), file.text()))
                                        .map(file -> files.settings()
                                                .getOrDefault(file, new SettingsFile(file, "", List.of())))
                                        .toList())));
        return maps;
    }
}
