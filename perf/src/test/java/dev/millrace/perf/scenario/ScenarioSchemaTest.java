package dev.millrace.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaId;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.scenario.Scenario.Checks;
import dev.millrace.perf.scenario.Scenario.Durability;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ScenarioSchemaTest {
    private static final JsonNode SCHEMA = new ScenarioSchema().text();

    /** Of one machine, or of how a run is made; the rest would make a run bounded, or its event time not the clock's. */
    private static final Set<String> NO_SCENARIO = Set.of(
            "first-device",
            "all-devices",
            "broker",
            "plugin-dir",
            "address",
            "topic-prefix",
            "max-ahead",
            "duration",
            "readings",
            "start",
            "seed",
            "latency-log",
            "burn-micros",
            "store-url",
            "store-database",
            "rocksdb-metrics",
            "broker-port",
            "store-port",
            "web-port",
            "generator-port",
            "supervisor-port",
            "metrics-port");

    @Test
    void itIsAValidSchemaOfItsDraft() {
        assertThat(JsonSchemaFactory.getInstance(VersionFlag.V202012)
                        .getSchema(SchemaLocation.of(SchemaId.V202012))
                        .validate(SCHEMA.toString(), InputFormat.JSON))
                .isEmpty();
    }

    @Test
    void everyOptionOfUpIsAKeyOrNoneOfAScenario() {
        List<String> options = new ArrayList<>(NO_SCENARIO);
        keysOfUp().forEach((option, schema) -> options.add(option));
        assertThat(options)
                .containsExactlyInAnyOrderElementsOf(StackSettings.keys().stream()
                        .map(StackSettings.Key::name)
                        .toList());
    }

    @Test
    void upAcceptsTheBoundsAndRefusesWhatIsBeyondThem() {
        keysOfUp().forEach((option, schema) -> {
            if (schema.has("minimum")) {
                assertThat(said(option, schema.path("minimum").asLong())).doesNotContain("'" + option + "' is '");
                assertThat(said(option, schema.path("maximum").asLong())).doesNotContain("'" + option + "' is '");
                assertThat(said(option, schema.path("minimum").asLong() - 1)).contains("'" + option + "' is '");
                assertThat(said(option, schema.path("maximum").asLong() + 1)).contains("'" + option + "' is '");
            }
        });
    }

    @Test
    void upAcceptsEveryWordThatAKeyCanBe() {
        keysOfUp().forEach((option, schema) -> schema.path("enum")
                .forEach(word -> assertThat(said(option, word.asText())).doesNotContain("'" + option + "' is '")));
        keysOfUp().forEach((option, schema) -> {
            // Which stores there are, their modules say.
            if (schema.has("enum") && !option.equals("store")) {
                assertThat(said(option, "nonsense")).contains("'" + option + "' is '");
            }
        });
    }

    @Test
    void figuresAndDurabilitiesAreThoseOfTheCode() {
        assertThat(words("/properties/decides/enum"))
                .containsExactlyElementsOf(
                        Arrays.stream(Figure.values()).map(Figure::key).toList());
        assertThat(words("/properties/durability/enum"))
                .containsExactlyElementsOf(Arrays.stream(Durability.values())
                        .map(value -> value.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .toList());
    }

    @Test
    void keysAreTheComponentsOfTheRecord() {
        Set<String> keys = keys(SCHEMA);
        keys.remove("phases");
        keys.addAll(keys(SCHEMA.at("/properties/phases")));
        keys.remove("budget");
        keys(SCHEMA.at("/properties/budget")).forEach(key -> keys.add(key + "Bytes"));
        // The file's own name.
        keys.add("name");
        assertThat(keys).isEqualTo(components(Scenario.class));
        assertThat(keys(SCHEMA.at("/properties/checks"))).isEqualTo(components(Checks.class));
        assertThat(keys(SCHEMA.at("/properties/backlog"))).isEqualTo(components(Scenario.Backlog.class));
    }

    @Test
    void everyBlockRefusesOtherKeysAndEveryKeyIsExplained() {
        explained(SCHEMA);
    }

    private static void explained(JsonNode block) {
        assertThat(block.path("additionalProperties").isBoolean()).isTrue();
        assertThat(block.path("additionalProperties").asBoolean()).isFalse();
        block.path("properties").properties().forEach(property -> {
            JsonNode schema = property.getValue();
            assertThat(schema.path("title").asText()).as(property.getKey()).isNotBlank();
            assertThat(schema.path("description").asText())
                    .as(property.getKey())
                    .endsWith(".");
            if (schema.path("type").asText().equals("object")) {
                explained(schema);
            }
        });
    }

    /** What keys of load and topology are, by the option of {@code up} that each becomes. */
    private static Map<String, JsonNode> keysOfUp() {
        Map<String, JsonNode> keys = new TreeMap<>();
        for (String block : List.of("load", "topology")) {
            SCHEMA.at("/properties/" + block + "/properties").properties().forEach(property -> assertThat(
                            keys.put(ScenarioFile.option(property.getKey()), property.getValue()))
                    .as(property.getKey() + " in two blocks")
                    .isNull());
        }
        assertThat(keys).isNotEmpty();
        return keys;
    }

    /** What {@code up} says of one option; empty when it is accepted. */
    private static String said(String option, Object value) {
        try {
            StackSettings.bind("up", Options.of(Map.of(option, value.toString())));
            return "";
        } catch (UserException e) {
            return e.getMessage();
        }
    }

    private static List<String> words(String pointer) {
        List<String> words = new ArrayList<>();
        SCHEMA.at(pointer).forEach(word -> words.add(word.asText()));
        return words;
    }

    private static Set<String> keys(JsonNode block) {
        Set<String> keys = new TreeSet<>();
        block.path("properties").fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    private static Set<String> components(Class<? extends Record> type) {
        Set<String> names = new TreeSet<>();
        for (RecordComponent component : type.getRecordComponents()) {
            names.add(component.getName());
        }
        return names;
    }
}
