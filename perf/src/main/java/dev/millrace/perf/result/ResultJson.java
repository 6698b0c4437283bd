package dev.millrace.perf.result;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A result as JSON, to keep and to compare with later ones. JSON has no NaN: it is null there, and NaN again when read. */
public final class ResultJson {
    private static final JsonMapper MAPPER = mapper();

    private ResultJson() {}

    /** One document, for people too: indented, maps in the order of their keys, and the same for the same result. */
    public static String write(BenchmarkResult result) {
        return document(result);
    }

    /** What follows from results, written as they are. */
    public static String document(Object records) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(records) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the result is not JSON", e);
        }
    }

    /** One run in one line. */
    public static String line(Run run) {
        try {
            return MAPPER.writeValueAsString(run);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the run is not JSON", e);
        }
    }

    /** What {@link #line} wrote; throws UserException when it is something else. */
    public static Run run(String line) {
        try {
            return MAPPER.readValue(line, Run.class);
        } catch (JsonProcessingException e) {
            throw new UserException("this is no whole run of a benchmark: " + where(e), e);
        }
    }

    /** The same document as a tree, for those who show a part of it. */
    public static JsonNode tree(BenchmarkResult result) {
        return MAPPER.valueToTree(result);
    }

    /**
     * What {@link #write} wrote.
     *
     * @throws UserException if the file is no such document, or one of another schema
     * @throws EnvironmentException if it cannot be read
     */
    public static BenchmarkResult read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new UserException("there is no file " + file + "; it must be a result of millrace benchmark");
        }
        try {
            JsonNode tree = MAPPER.readTree(file.toFile());
            if (!tree.isObject() || !tree.path("schema").isTextual()) {
                throw new UserException(
                        file + " says no schema; a result says \"schema\": \"" + BenchmarkResult.SCHEMA + "\"");
            }
            String schema = tree.path("schema").asText();
            if (!schema.equals(BenchmarkResult.SCHEMA)) {
                throw new UserException(file + " has schema '" + schema + "'; this version of millrace reads '"
                        + BenchmarkResult.SCHEMA + "'");
            }
            return MAPPER.treeToValue(tree, BenchmarkResult.class);
        } catch (JsonProcessingException e) {
            throw new UserException(
                    file + " is no whole benchmark result: " + where(e)
                            + "; it must be as millrace benchmark wrote it, schema '" + BenchmarkResult.SCHEMA + "'",
                    e);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static String where(JsonProcessingException e) {
        String message = e.getOriginalMessage().lines().findFirst().orElse("");
        if (e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()) {
            StringBuilder path = new StringBuilder();
            mapping.getPath().forEach(step -> {
                if (step.getFieldName() == null) {
                    path.append('[').append(step.getIndex()).append(']');
                } else {
                    path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
                }
            });
            return "at " + path + ", " + message;
        }
        return e.getLocation() == null
                ? message
                : "in line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr() + ", " + message;
    }

    private static JsonMapper mapper() {
        JsonMapper mapper = JsonMapper.builder()
                // Run.isValid() follows from the reasons.
                .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .addModule(new SimpleModule()
                        .addSerializer(Double.class, new NumberOrNull())
                        .addSerializer(Double.TYPE, new NumberOrNull())
                        .addDeserializer(Double.class, new Boxed())
                        .addDeserializer(Double.TYPE, new Primitive()))
                .build();
        // What the records do not call nullable is there; in a map of figures a null was NaN.
        for (Class<?> type : List.of(String.class, Figure.class, Comparison.Verdict.class)) {
            mapper.configOverride(type).setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.FAIL));
        }
        mapper.configOverride(List.class).setSetterInfo(JsonSetter.Value.construct(Nulls.FAIL, Nulls.FAIL));
        mapper.configOverride(Map.class).setSetterInfo(JsonSetter.Value.construct(Nulls.FAIL, Nulls.AS_EMPTY));
        return mapper;
    }

    private static final class NumberOrNull extends StdScalarSerializer<Double> {
        private static final long serialVersionUID = 1;

        NumberOrNull() {
            super(Double.class);
        }

        @Override
        public void serialize(Double value, JsonGenerator out, SerializerProvider provider) throws IOException {
            if (Double.isFinite(value)) {
                out.writeNumber(value);
            } else {
                out.writeNull();
            }
        }
    }

    private static class Boxed extends StdScalarDeserializer<Double> {
        private static final long serialVersionUID = 1;

        Boxed() {
            super(Double.class);
        }

        @Override
        public Double deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return in.currentToken().isNumeric()
                    ? Double.valueOf(in.getDoubleValue())
                    : (Double) context.handleUnexpectedToken(Double.class, in);
        }

        /** Of a value in a map; a component of a record that is null stays null. */
        @Override
        public Object getEmptyValue(DeserializationContext context) {
            return Double.NaN;
        }
    }

    private static final class Primitive extends Boxed {
        private static final long serialVersionUID = 1;

        @Override
        public Double getNullValue(DeserializationContext context) {
            return Double.NaN;
        }
    }
}
