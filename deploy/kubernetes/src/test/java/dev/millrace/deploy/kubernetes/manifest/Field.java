package dev.millrace.deploy.kubernetes.manifest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A place in an object, with what is there. Immutable.
 *
 * @param path from the object's root
 */
record Field(Manifest manifest, String path, Node node) {

    /** @param below names with dots between; what is not there is empty */
    Optional<Field> find(String below) {
        Field at = this;
        for (String name : below.split("\\.")) {
            if (!(at.node instanceof Node.Mapping mapping) || !mapping.fields().containsKey(name)) {
                return Optional.empty();
            }
            at = at.field(name, mapping.fields().get(name));
        }
        return Optional.of(at);
    }

    Field field(String name, Node value) {
        String step = name.contains(".") ? "[" + name + "]" : path.isEmpty() ? name : "." + name;
        return new Field(manifest, path + step, value);
    }

    Field item(int index, Node value) {
        return new Field(manifest, path + "[" + index + "]", value);
    }

    /** The field there, or this one where there is none: what a finding about it names. */
    Field nearest(String below) {
        return find(below).orElse(this);
    }

    /** Its scalar; empty when it is none. */
    String text() {
        return node instanceof Node.Scalar scalar ? scalar.text() : "";
    }

    String text(String below) {
        return find(below).map(Field::text).orElse("");
    }

    boolean is(String below, String text) {
        return text(below).equals(text);
    }

    List<Field> items(String below) {
        return find(below).map(Field::items).orElse(List.of());
    }

    List<Field> items() {
        List<Field> items = new ArrayList<>();
        if (node instanceof Node.Sequence sequence) {
            for (Node item : sequence.items()) {
                items.add(item(items.size(), item));
            }
        }
        return items;
    }

    Map<String, Field> fields(String below) {
        return find(below).map(Field::fields).orElse(Map.of());
    }

    Map<String, Field> fields() {
        Map<String, Field> fields = new LinkedHashMap<>();
        if (node instanceof Node.Mapping mapping) {
            mapping.fields().forEach((name, value) -> fields.put(name, field(name, value)));
        }
        return fields;
    }

    /** A mapping of words to words, such as labels. */
    Map<String, String> texts(String below) {
        Map<String, String> texts = new LinkedHashMap<>();
        fields(below).forEach((name, value) -> texts.put(name, value.text()));
        return texts;
    }

    Finding finding(String sentence) {
        return new Finding(manifest.file(), node.line(), manifest.id(), path, sentence);
    }
}
