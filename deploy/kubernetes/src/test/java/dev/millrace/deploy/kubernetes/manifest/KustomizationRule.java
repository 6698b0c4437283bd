package dev.millrace.deploy.kubernetes.manifest;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What a kustomization names is there, and what is there is named. */
final class KustomizationRule implements Rule {
    /** By this the stack's own pods are told from all others. */
    private static final Map<String, String> PART_OF = Map.of("app.kubernetes.io/part-of", "millrace");

    @Override
    public void check(Stack stack, Consumer<Finding> found) {
        Set<String> named = new HashSet<>();
        for (Manifest kustomization : stack.kustomizations()) {
            String folder = Stack.parent(kustomization.file());
            named.add(kustomization.file());
            Field object = kustomization.object();
            for (Field resource : object.items("resources")) {
                String path = Stack.resolved(folder, resource.text());
                boolean isFolder = stack.files().contains(path + "/" + Manifests.KUSTOMIZATION);
                if (!isFolder && !stack.files().contains(path)) {
                    found.accept(resource.finding("there is no file or folder '" + path + "'"));
                }
                named.add(path);
            }
            for (Field generator : object.items("configMapGenerator")) {
                for (Field file : generator.items("files")) {
                    String path = Stack.resolved(folder, file.text());
                    if (!stack.files().contains(path)) {
                        found.accept(file.finding("there is no file '" + path + "'"));
                    }
                    named.add(path);
                }
            }
            for (Field label : object.items("labels")) {
                if (!label.texts("pairs").equals(PART_OF)) {
                    found.accept(label.nearest("pairs").finding("it must be " + PART_OF));
                }
                if (!label.is("includeTemplates", "true")) {
                    found.accept(label.nearest("includeTemplates").finding("pods need the label too"));
                }
            }
        }
        stack.files().stream()
                .filter(file -> !named.contains(file))
                .map(file -> new Finding(file, 1, "", "", "no kustomization names this file"))
                .forEach(found);
        overlay(stack, found);
    }

    private static void overlay(Stack stack, Consumer<Finding> found) {
        if (!stack.kustomizations().isEmpty()) {
            Field overlay = stack.kustomizations().get(0).object();
            if (!overlay.is("namespace", "millrace-" + stack.broker())) {
                found.accept(overlay.nearest("namespace").finding("it must be 'millrace-" + stack.broker() + "'"));
            }
        }
    }
}
