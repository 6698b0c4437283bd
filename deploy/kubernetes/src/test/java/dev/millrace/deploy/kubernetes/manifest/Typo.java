package dev.millrace.deploy.kubernetes.manifest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One planted mistake.
 *
 * @param object {@code Kind/name}; empty in a file of settings
 * @param path of the field; in a file of settings its key
 * @param text the new name or value; none where the field is taken away
 */
record Typo(String file, String object, String path, Change change, String text) {
    enum Change {
        NAME,
        VALUE,
        GONE
    }

    @Override
    public String toString() {
        String words =
                switch (change) {
                    case NAME -> " is called " + text;
                    case VALUE -> " is " + text;
                    case GONE -> " is gone";
                };
        return file + " " + (object + " " + path).strip() + words;
    }

    /** The manifests with this mistake in them. */
    Manifests in(Manifests manifests) {
        if (manifests.settings().containsKey(file)) {
            SettingsFile settings = manifests.settings().get(file);
            return manifests.with(SettingsFile.of(file, line(settings)));
        }
        Manifest old = manifests.objects().get(file).stream()
                .filter(manifest -> manifest.id().equals(object))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no " + object + " in " + file));
        Node.Mapping root = (Node.Mapping) changed(old.root(), Node.Step.of(path));
        return manifests.with(old, new Manifest(file, root));
    }

    private String line(SettingsFile settings) {
        if (!settings.values().containsKey(path)) {
            throw new IllegalArgumentException("no " + path + " in " + file);
        }
        String begin = path + "=";
        return settings.text()
                .lines()
                .map(line -> {
                    if (!line.startsWith(begin)) {
                        return line;
                    }
                    return switch (change) {
                        case NAME -> text + "=" + line.substring(begin.length());
                        case VALUE -> begin + text;
                        case GONE -> "";
                    };
                })
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private Node changed(Node node, List<Node.Step> steps) {
        Node.Step step = steps.get(0);
        boolean isLast = steps.size() == 1;
        List<Node.Step> rest = steps.subList(1, steps.size());
        if (step.isItem() && node instanceof Node.Sequence sequence) {
            List<Node> items = new java.util.ArrayList<>(sequence.items());
            Node old = items.get(step.index());
            if (isLast && change == Change.GONE) {
                items.remove(step.index());
            } else {
                items.set(step.index(), isLast ? Node.Scalar.of(old.line(), text) : changed(old, rest));
            }
            return new Node.Sequence(sequence.line(), items);
        }
        Node.Mapping mapping = (Node.Mapping) node;
        if (!mapping.fields().containsKey(step.name())) {
            throw new IllegalArgumentException("no " + path + " in " + object + " of " + file);
        }
        Map<String, Node> fields = new LinkedHashMap<>();
        mapping.fields().forEach((name, value) -> {
            if (!name.equals(step.name())) {
                fields.put(name, value);
            } else if (!isLast) {
                fields.put(name, changed(value, rest));
            } else if (change == Change.NAME) {
                fields.put(text, value);
            } else if (change == Change.VALUE) {
                fields.put(name, Node.Scalar.of(value.line(), text));
            }
        });
        return new Node.Mapping(mapping.line(), fields);
    }
}
