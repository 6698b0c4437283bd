package dev.millrace.deploy.kubernetes.manifest;

import dev.millrace.connectors.api.lint.SettingLine;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Every name and every value of the manifests with one letter left out. */
final class Typos {
    private Typos() {}

    static List<Typo> names(Manifests manifests) {
        List<Typo> typos = new ArrayList<>();
        fields(manifests).forEach(field -> {
            String path = field.path();
            // The last step is a name unless it is an item's number.
            if (!path.matches(".*\\[\\d+]")) {
                List<Node.Step> steps = Node.Step.of(path);
                String name = steps.get(steps.size() - 1).name();
                typos.add(new Typo(
                        field.manifest().file(), field.manifest().id(), path, Typo.Change.NAME, shorter(name)));
            }
        });
        return typos;
    }

    static List<Typo> values(Manifests manifests) {
        List<Typo> typos = new ArrayList<>();
        fields(manifests).forEach(field -> {
            if (field.node() instanceof Node.Scalar scalar) {
                String text = shorter(scalar.text());
                typos.add(new Typo(
                        field.manifest().file(),
                        field.manifest().id(),
                        field.path(),
                        Typo.Change.VALUE,
                        scalar.quoted() ? "\"" + text + "\"" : text));
            }
        });
        return typos;
    }

    /** Of the stack's own settings; those of a broker's server are planted where that server is. */
    static List<Typo> settings(Manifests manifests, String fileName) {
        List<Typo> typos = new ArrayList<>();
        manifests.settings().values().stream()
                .filter(file -> file.name().equals(fileName))
                .forEach(file -> {
                    for (SettingLine line : file.lines()) {
                        typos.add(new Typo(file.file(), "", line.key(), Typo.Change.NAME, shorter(line.key())));
                        typos.add(new Typo(file.file(), "", line.key(), Typo.Change.VALUE, shorter(line.value())));
                    }
                });
        return typos;
    }

    private static Stream<Field> fields(Manifests manifests) {
        return manifests.objects().values().stream()
                .flatMap(List::stream)
                .flatMap(manifest -> below(manifest.object()));
    }

    private static Stream<Field> below(Field field) {
        return Stream.concat(field.fields().values().stream(), field.items().stream())
                .flatMap(child -> Stream.concat(Stream.of(child), below(child)));
    }

    /** Without the letter in the middle. */
    private static String shorter(String word) {
        int middle = word.length() / 2;
        return word.substring(0, middle) + word.substring(Math.min(word.length(), middle + 1));
    }
}
