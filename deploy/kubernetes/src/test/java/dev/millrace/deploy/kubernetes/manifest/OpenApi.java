package dev.millrace.deploy.kubernetes.manifest;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Holds a tree against a schema as CustomResourceDefinitions have it: what a server says that takes fields strictly, without one. A field
 * that the schema does not name is a mistake, wherever it does not say that it takes any.
 *
 * @param schema a mapping with {@code type}, {@code properties}, {@code required} and so on
 */
record OpenApi(Field schema) {

    /** @param whole whether what is required must be there; a patch is only a part */
    void check(Field field, boolean whole, Consumer<Finding> found) {
        check(field, schema, whole, found);
    }

    private static void check(Field field, Field schema, boolean whole, Consumer<Finding> found) {
        if (schema.is("x-kubernetes-int-or-string", "true")) {
            if (!(field.node() instanceof Node.Scalar)) {
                found.accept(field.finding("it must be a number or a text"));
            }
            return;
        }
        switch (schema.text("type")) {
            case "object" -> object(field, schema, whole, found);
            case "array" -> array(field, schema, whole, found);
            case "" -> {
                if (!schema.is("x-kubernetes-preserve-unknown-fields", "true")) {
                    throw new IllegalStateException("no type at " + schema.path());
                }
            }
            default -> scalar(field, schema, found);
        }
    }

    private static void object(Field field, Field schema, boolean whole, Consumer<Finding> found) {
        if (!(field.node() instanceof Node.Mapping)) {
            found.accept(field.finding("it must be an object"));
            return;
        }
        Map<String, Field> known = schema.fields("properties");
        Optional<Field> others = schema.find("additionalProperties");
        boolean takesAny = schema.is("x-kubernetes-preserve-unknown-fields", "true");
        field.fields().forEach((name, value) -> {
            if (known.containsKey(name)) {
                check(value, known.get(name), whole, found);
            } else if (others.isPresent()) {
                check(value, others.get(), whole, found);
            } else if (!takesAny) {
                found.accept(
                        value.finding("there is no field '" + name + "' here" + Schema.near(name, known.keySet())));
            }
        });
        if (whole) {
            schema.items("required").stream()
                    .map(Field::text)
                    .filter(name -> !field.fields().containsKey(name))
                    .forEach(name -> found.accept(field.finding("the field '" + name + "' is missing")));
        }
    }

    private static void array(Field field, Field schema, boolean whole, Consumer<Finding> found) {
        if (!(field.node() instanceof Node.Sequence)) {
            found.accept(field.finding("it must be a list"));
            return;
        }
        field.items().forEach(item -> check(item, schema.nearest("items"), whole, found));
    }

    private static void scalar(Field field, Field schema, Consumer<Finding> found) {
        if (!(field.node() instanceof Node.Scalar scalar)) {
            found.accept(field.finding("it must be one value"));
            return;
        }
        String type = schema.text("type");
        if (!fits(type, scalar.type())) {
            found.accept(field.finding(
                    "it must be of type " + type + ", but '" + scalar.text() + "' is " + scalar.type().words));
            return;
        }
        List<String> words = schema.items("enum").stream().map(Field::text).toList();
        if (!words.isEmpty() && !words.contains(scalar.text())) {
            found.accept(field.finding(
                    "it is '" + scalar.text() + "'; it must be one of " + words + Schema.near(scalar.text(), words)));
        }
        if (schema.find("pattern").isPresent()
                && !Pattern.compile(schema.text("pattern"))
                        .matcher(scalar.text())
                        .find()) {
            found.accept(
                    field.finding("'" + scalar.text() + "' is not written as it must be: " + schema.text("pattern")));
        }
        bounds(field, schema, found);
    }

    private static boolean fits(String type, Node.Type there) {
        return switch (type) {
            case "string" -> there == Node.Type.TEXT;
            case "integer" -> there == Node.Type.INTEGER;
            case "number" -> there == Node.Type.INTEGER || there == Node.Type.NUMBER;
            case "boolean" -> there == Node.Type.BOOLEAN;
            default -> throw new IllegalStateException("no type of a value: " + type);
        };
    }

    private static void bounds(Field field, Field schema, Consumer<Finding> found) {
        if (schema.find("minimum").isPresent()
                && Double.parseDouble(field.text()) < Double.parseDouble(schema.text("minimum"))) {
            found.accept(field.finding("it must be at least " + schema.text("minimum")));
        }
        if (schema.find("maximum").isPresent()
                && Double.parseDouble(field.text()) > Double.parseDouble(schema.text("maximum"))) {
            found.accept(field.finding("it must be at most " + schema.text("maximum")));
        }
    }
}
