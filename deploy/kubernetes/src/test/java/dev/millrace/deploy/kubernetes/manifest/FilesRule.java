package dev.millrace.deploy.kubernetes.manifest;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Kustomizations name files that are there, and no file lies there that none of them names. */
final class FilesRule implements ProductionRule {
    /** For charts, which a person chooses, and for the verbs; not for kustomize. */
    private static final String FOR_OTHERS = ".*/(values|local-volumes|needs)\\.yaml";

    @Override
    public void check(Production production, Consumer<Finding> found) {
        Set<String> there = new TreeSet<>(production.files().files().toList());
        Set<String> named = new TreeSet<>();
        production.kustomizations().forEach(one -> {
            Field root = one.object();
            String folder = Stack.parent(one.file());
            Stream.concat(
                            Stream.concat(root.items("resources").stream(), root.items("components").stream()),
                            Stream.concat(
                                    root.items("patches").stream().flatMap(patch -> patch.find("path").stream()),
                                    root.items("configMapGenerator").stream()
                                            .flatMap(map -> map.items("files").stream())))
                    .forEach(file -> {
                        String path = Stack.resolved(folder, file.text());
                        named.add(path);
                        boolean isFolder =
                                there.contains(path + "/" + Manifests.KUSTOMIZATION) || path.equals(Manifests.BASE);
                        if (!there.contains(path) && !isFolder) {
                            found.accept(file.finding("there is no " + path));
                        }
                    });
            kind(one, found);
            namespace(one, found);
            root.items("patches").forEach(patch -> target(production, one, patch, found));
        });
        durability(production, found);
        there.stream()
                .filter(file -> !named.contains(file))
                .filter(file -> !file.endsWith("/" + Manifests.KUSTOMIZATION) && !file.matches(FOR_OTHERS))
                .forEach(file -> found.accept(new Finding(file, 1, "", "", "no kustomization names it")));
    }

    /** The live objects say which class they are of. */
    private static void durability(Production production, Consumer<Finding> found) {
        production
                .documents()
                .filter(one -> one.file().contains("/durability/"))
                .forEach(one -> {
                    String wanted = Stack.parent(one.file()).replaceAll(".*/", "");
                    boolean isSaid = Tree.named(one.object(), "annotations")
                            .flatMap(field -> Stream.ofNullable(field.fields().get("millrace.dev/durability")))
                            .anyMatch(said -> said.text().equals(wanted));
                    if (!isSaid && !one.file().endsWith("/" + Manifests.KUSTOMIZATION)) {
                        found.accept(one.object().finding("the annotation millrace.dev/durability must be " + wanted));
                    }
                });
    }

    private static void kind(Manifest one, Consumer<Finding> found) {
        boolean isPart = one.file().contains("/durability/") || isMonitoring(one);
        Field root = one.object();
        if (!root.is("kind", isPart ? "Component" : "Kustomization")
                || !root.is("apiVersion", "kustomize.config.k8s.io/" + (isPart ? "v1alpha1" : "v1beta1"))) {
            found.accept(root.nearest("kind")
                    .finding("durability and monitoring are Components (v1alpha1), the rest a Kustomization"));
        }
        if (!isPart && root.items("resources").isEmpty()) {
            found.accept(root.finding("it has no resources"));
        }
    }

    private static boolean isMonitoring(Manifest one) {
        return Stack.parent(one.file()).endsWith(Production.SIZE + Production.MONITORING);
    }

    private static void namespace(Manifest one, Consumer<Finding> found) {
        String[] folders = one.file().split("/");
        boolean isBrokers = folders[0].equals("brokers") && (folders.length == 6 || isMonitoring(one));
        String wanted = isBrokers ? "millrace-" + folders[1] : "";
        if (!one.object().text("namespace").equals(wanted)) {
            found.accept(one.object().nearest("namespace").finding("it must be '" + wanted + "'"));
        }
    }

    /** A patch that finds nothing is passed over by kustomize. */
    private static void target(Production production, Manifest one, Field patch, Consumer<Finding> found) {
        if (patch.find("path").isEmpty() && patch.find("patch").isEmpty()) {
            found.accept(patch.finding("it must have a path or a patch"));
        }
        if (patch.find("target.kind").isPresent()) {
            String id = patch.text("target.kind") + "/" + patch.text("target.name");
            boolean isThere =
                    production.documents().anyMatch(object -> object.id().equals(id));
            if (!isThere) {
                found.accept(patch.nearest("target").finding("there is no " + id));
            }
        }
        String file = Stack.resolved(Stack.parent(one.file()), patch.text("path"));
        production.in(file).filter(part -> !part.kind().isEmpty()).forEach(part -> {
            if (!production.has(part, part.id())) {
                found.accept(part.object().nearest("metadata.name").finding("there is no " + part.id() + " elsewhere"));
            }
        });
    }
}
