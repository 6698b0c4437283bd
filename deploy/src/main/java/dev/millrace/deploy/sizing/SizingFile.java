package dev.millrace.deploy.sizing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The rates per core that were measured, of each broker: {@code deploy/sizing.yaml}. A person reads it;
 * {@code millrace rates} writes it out of results. Immutable.
 *
 * @param schema {@link #SCHEMA}
 * @param brokers by name
 */
public record SizingFile(String schema, List<MeasuredRates> brokers) {
    /** Where the clone has it. */
    public static final Path PLACE = Path.of("deploy/sizing.yaml");

    /** Of its format; {@code sizing.schema.json} beside this class says the same for editors. */
    public static final String SCHEMA = "millrace-sizing-1";

    /** How it is made. */
    public static final String HOW =
            "millrace benchmark --scenario sizing --brokers BROKER, and then millrace rates RESULT";

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .build();

    private static final String HEAD =
            """
            # yaml-language-server: $schema=src/main/resources/dev/millrace/deploy/sizing/sizing.schema.json

            # Readings per second of one core, measured. Written by `millrace rates` out of results of the scenario sizing of
            # `millrace benchmark`; nobody writes a figure here by hand. They are of the machine that is named at each, where broker,
            # job, generator and store ran together: if that is no i7i and c5, whoever has those measures there and writes it again.
            """;

    public SizingFile {
        brokers = List.copyOf(brokers);
    }

    /**
     * Reads it.
     *
     * @return without a broker when there is no such file
     * @throws UserException when it is not as it must be: file, place and what is wrong
     */
    public static SizingFile read(Path file) {
        if (!Files.exists(file)) {
            return new SizingFile(SCHEMA, List.of());
        }
        try {
            Object tree = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
            JsonNode root = MAPPER.valueToTree(tree);
            String schema = root.path("schema").asText();
            if (!schema.equals(SCHEMA)) {
                throw new UserException(file + " has schema '" + schema + "'; this version of millrace reads '" + SCHEMA
                        + "', which millrace rates writes");
            }
            SizingFile read = MAPPER.treeToValue(root, SizingFile.class);
            read.check(file);
            return read;
        } catch (YamlEngineException e) {
            throw new UserException(
                    file + " is no YAML: " + e.getMessage().lines().collect(Collectors.joining(" ")), e);
        } catch (UnrecognizedPropertyException e) {
            throw new UserException(
                    file + ": unknown key '" + path(e) + "'; known there are "
                            + e.getKnownPropertyIds().stream()
                                    .map(Object::toString)
                                    .sorted()
                                    .collect(Collectors.joining(", ")),
                    e);
        } catch (JsonMappingException e) {
            throw new UserException(file + ": " + path(e) + " " + wrong(e) + "; write it again: " + HOW, e);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree is a tree", e);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static String wrong(JsonMappingException e) {
        String said = e.getOriginalMessage().lines().findFirst().orElse("");
        return said.startsWith("Missing creator property") ? "is missing" : "is not as it must be (" + said + ")";
    }

    private static String path(JsonMappingException e) {
        StringBuilder path = new StringBuilder();
        e.getPath()
                .forEach(step -> path.append(
                        step.getFieldName() == null
                                ? "[" + step.getIndex() + "]"
                                : (path.isEmpty() ? "" : ".") + step.getFieldName()));
        return path.isEmpty() ? "the file" : path.toString();
    }

    private void check(Path file) {
        List<String> problems = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (MeasuredRates rates : brokers) {
            String at = file + ": broker " + rates.broker() + ": ";
            if (!names.add(rates.broker())) {
                problems.add(at + "it is there twice; leave one");
            }
            TreeMap<String, Long> numbers = new TreeMap<>();
            MeasuredRates.PerCore rate = rates.readingsPerSecondPerCore();
            numbers.put("readingsPerSecondPerCore.generator", rate.generator());
            numbers.put("readingsPerSecondPerCore.broker", rate.broker());
            numbers.put("readingsPerSecondPerCore.job", rate.job());
            numbers.put("load.readingsPerSecond", rates.load().readingsPerSecond());
            numbers.put("load.devices", rates.load().devices());
            numbers.put("load.payloadBytes", (long) rates.load().payloadBytes());
            numbers.put("load.replicas", (long) rates.load().replicas());
            numbers.put("measured.runs", (long) rates.measured().runs());
            numbers.forEach((key, value) -> {
                if (value < 1) {
                    problems.add(at + key + " is " + value + "; it must be 1 or more");
                }
            });
        }
        if (!problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
    }

    /** Of one broker; empty when nothing was measured of it. */
    public Optional<MeasuredRates> of(String broker) {
        return brokers.stream().filter(one -> one.broker().equals(broker)).findFirst();
    }

    /** The same with these instead of what there was of their brokers. */
    public SizingFile with(List<MeasuredRates> others) {
        TreeMap<String, MeasuredRates> all = new TreeMap<>();
        brokers.forEach(one -> all.put(one.broker(), one));
        others.forEach(one -> all.put(one.broker(), one));
        return new SizingFile(SCHEMA, List.copyOf(all.values()));
    }

    /** Replaces the file in one piece. */
    public void write(Path file) {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(draft, text());
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** As YAML; texts are in quotes, since a version may look like a number. */
    String text() {
        StringBuilder text =
                new StringBuilder(HEAD).append("schema: ").append(SCHEMA).append("\nbrokers:\n");
        for (MeasuredRates rates : brokers) {
            text.append("  - broker: ").append(rates.broker()).append('\n');
            JsonNode tree = MAPPER.valueToTree(rates);
            tree.properties().forEach(entry -> {
                if (!entry.getKey().equals("broker")) {
                    add(text, "    ", entry.getKey(), entry.getValue());
                }
            });
        }
        return text.toString();
    }

    private static void add(StringBuilder text, String indent, String key, JsonNode value) {
        if (!value.isObject()) {
            text.append(indent).append(key).append(": ").append(value).append('\n');
            return;
        }
        text.append(indent).append(key).append(":\n");
        value.properties().forEach(entry -> add(text, indent + "  ", entry.getKey(), entry.getValue()));
    }
}
