package dev.millrace.perf.scenario;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.millrace.core.settings.Suggestion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The schema of scenario files; it makes the sentences, as the validator's own name rules of the schema and not what to write. */
final class ScenarioSchema {
    static final String RESOURCE = "scenario.schema.json";

    /** A longer value is cut in messages. */
    private static final int SHOWN_CHARACTERS = 60;

    private final JsonNode text;
    private final JsonSchema validator;

    ScenarioSchema() {
        try (InputStream resource = ScenarioSchema.class.getResourceAsStream(RESOURCE)) {
            text = new ObjectMapper().readTree(resource);
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE, e);
        }
        validator = JsonSchemaFactory.getInstance(VersionFlag.V202012)
                .getSchema(
                        text,
                        SchemaValidatorsConfig.builder()
                                .pathType(PathType.JSON_POINTER)
                                .build());
    }

    /** The schema itself. */
    JsonNode text() {
        return text;
    }

    /** Adds what is wrong with the tree; gives the places of it, those of unknown keys too. */
    Set<JsonPointer> check(YamlText yaml, Problems problems) {
        Set<JsonPointer> wrong = new HashSet<>();
        for (ValidationMessage message : validator.validate(yaml.root())) {
            JsonPointer at = JsonPointer.compile(message.getInstanceLocation().toString());
            JsonPointer where =
                    switch (message.getType()) {
                        case "additionalProperties", "required" -> at.appendProperty(message.getProperty());
                        default -> at;
                    };
            // A value can break more than one rule; what would be right is the same sentence for all of them.
            if (wrong.add(where)) {
                String path = Problems.path(where);
                problems.add(
                        yaml.line(where),
                        switch (message.getType()) {
                            case "additionalProperties" ->
                                "unknown key '" + path + "'" + hint(message.getProperty(), at);
                            case "required" -> path + " is missing; it must be " + right(where);
                            default ->
                                path + " is " + shown(yaml.root().at(where)) + "; it must be " + right(where)
                                        + nearest(yaml.root().at(where), schema(where));
                        });
            }
        }
        return wrong;
    }

    /** Puts the schema's defaults where the tree, which must be right, says nothing. */
    void fill(ObjectNode tree) {
        fill(tree, text);
    }

    private void fill(ObjectNode object, JsonNode schema) {
        schema.path("properties").properties().forEach(property -> {
            JsonNode byDefault = property.getValue().path("default");
            if (!object.has(property.getKey()) && !byDefault.isMissingNode()) {
                object.set(property.getKey(), byDefault.deepCopy());
            }
            if (object.get(property.getKey()) instanceof ObjectNode child) {
                fill(child, property.getValue());
            }
        });
    }

    /** The nearest key of the same block, else the block that has this key, else all keys of the same block. */
    private String hint(String key, JsonPointer block) {
        List<String> known = keys(schema(block));
        return Suggestion.nearest(key, known)
                .map(near -> ". Did you mean '" + near + "'?")
                .or(() -> text.path("properties").properties().stream()
                        .filter(property ->
                                property.getValue().path("properties").has(key))
                        .map(property -> ". It belongs below '" + property.getKey() + "'")
                        .findFirst())
                .orElse("; known are " + String.join(", ", known));
    }

    private static String nearest(JsonNode value, JsonNode schema) {
        return Suggestion.nearest(value.asText(), words(schema.path("enum")))
                .map(near -> ". Did you mean '" + near + "'?")
                .orElse("");
    }

    private String right(JsonPointer where) {
        JsonNode schema = schema(where);
        if (schema.has("$ref")) {
            return definition(schema).path("title").asText();
        }
        if (schema.has("enum")) {
            return "one of " + String.join(", ", words(schema.path("enum")));
        }
        return switch (schema.path("type").asText()) {
            case "object" -> "a block of keys: " + String.join(", ", keys(schema));
            case "integer" -> "a whole number" + bounds(schema);
            case "number" -> "a number" + bounds(schema);
            default -> throw new IllegalStateException("the schema does not say what " + where + " must be");
        };
    }

    private static String bounds(JsonNode schema) {
        return " from " + schema.path("minimum").asText() + " to "
                + schema.path("maximum").asText();
    }

    private static String shown(JsonNode value) {
        if (value.isNull() || value.isMissingNode()) {
            return "empty";
        }
        if (value.isObject()) {
            return "a block of keys";
        }
        String text = value.isArray() ? "[" + String.join(", ", words(value)) + "]" : "'" + value.asText() + "'";
        if (value.isTextual() && value.asText().matches("[-+]?[0-9.]+")) {
            return "the text " + text;
        }
        return text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "..." : text;
    }

    /** The schema of a place, with its reference as it stands there. */
    private JsonNode schema(JsonPointer where) {
        JsonNode schema = text;
        for (JsonPointer at = where; !at.matches(); at = at.tail()) {
            JsonNode block = schema.has("$ref") ? definition(schema) : schema;
            schema = block.has("items")
                    ? block.path("items")
                    : block.path("properties").path(at.getMatchingProperty());
        }
        return schema;
    }

    private JsonNode definition(JsonNode schema) {
        return text.at(schema.path("$ref").asText().substring(1));
    }

    private static List<String> keys(JsonNode schema) {
        List<String> keys = new ArrayList<>();
        schema.path("properties").fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    private static List<String> words(JsonNode array) {
        List<String> words = new ArrayList<>();
        array.forEach(word -> words.add(word.asText()));
        return words;
    }
}
