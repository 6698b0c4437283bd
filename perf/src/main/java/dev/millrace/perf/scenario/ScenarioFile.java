package dev.millrace.perf.scenario;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.scenario.Scenario.Backlog;
import dev.millrace.perf.scenario.Scenario.Burst;
import dev.millrace.perf.scenario.Scenario.Checks;
import dev.millrace.perf.scenario.Scenario.Durability;
import dev.millrace.perf.scenario.Scenario.FanOut;
import dev.millrace.perf.scenario.Scenario.Search;
import dev.millrace.perf.scenario.Scenario.Trend;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads scenario files: held against the schema, then against what a schema cannot say; every problem is reported at once. */
public final class ScenarioFile {
    private static final String ENDING = ".yaml";

    /** Results are named after their scenario, in folders and on pages. */
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9_-]{0,59}";

    private static final List<String> OF_UP = List.of("load", "topology");

    /** Sections that hold rows, or rates, against the clock: event time must not be faster. */
    static final List<String> BY_THE_CLOCK = List.of("search", "backlog", "fanOut");

    /** Sections that count with one rate: it must not move. */
    static final List<String> OF_ONE_RATE = List.of("search", "backlog", "fanOut", "burst");

    /** Sections that count with the rate a run starts with: a search leaves another. */
    static final List<String> OF_THE_FIRST_RATE = List.of("backlog", "fanOut", "burst");

    private static final ScenarioSchema SCHEMA = new ScenarioSchema();

    private final JsonNode root;
    private final YamlText yaml;
    private final Problems problems;
    private final Set<JsonPointer> wrong;

    private ScenarioFile(YamlText yaml, Problems problems) {
        this.root = yaml.root();
        this.yaml = yaml;
        this.problems = problems;
        this.wrong = SCHEMA.check(yaml, problems);
    }

    /**
     * Loads a scenario.
     *
     * @throws UserException as {@link #find}, and when it is no YAML (one sentence), or anything in it is wrong (a line for each
     *     problem)
     */
    public static Scenario load(Path scenariosFolder, String nameOrPath) {
        return load(find(scenariosFolder, nameOrPath));
    }

    /**
     * The file of a scenario.
     *
     * @param scenariosFolder where names are looked for, as {@code NAME.yaml}
     * @param nameOrPath a path, read as it is, when it contains a slash or ends in {@code .yaml} or {@code .yml}; else a name
     * @throws UserException when there is no scenario of that name
     */
    public static Path find(Path scenariosFolder, String nameOrPath) {
        boolean isPath = nameOrPath.contains("/") || nameOrPath.endsWith(ENDING) || nameOrPath.endsWith(".yml");
        if (!isPath) {
            List<String> names = names(scenariosFolder);
            if (!names.contains(nameOrPath)) {
                throw new UserException(unknown(scenariosFolder, nameOrPath, names));
            }
        }
        return isPath ? Path.of(nameOrPath) : scenariosFolder.resolve(nameOrPath + ENDING);
    }

    /** As {@link #load(Path, String)}, of a file. */
    public static Scenario load(Path file) {
        String text = text(file);
        Problems problems = new Problems(file.toString());
        YamlText yaml = YamlText.parse(file.toString(), text, problems);
        String name = name(file);
        if (!name.matches(NAME)) {
            problems.add("the file's name is '" + name
                    + "'; it must be at most 60 letters, digits, - and _, as results are named after it");
        }
        return new ScenarioFile(yaml, problems).scenario(name);
    }

    /** The names of the scenarios in a folder, sorted; none when there is no such folder. */
    public static List<String> names(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ENDING) && Files.isRegularFile(file))
                    .map(ScenarioFile::name)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + folder + ": " + e.getMessage(), e);
        }
    }

    private static String unknown(Path folder, String name, List<String> names) {
        return "there is no scenario '" + name + "' in " + folder
                + Suggestion.nearest(name, names)
                        .map(near -> ". Did you mean '" + near + "'?")
                        .orElse(".")
                + (names.isEmpty() ? " There is none at all" : " There are: " + String.join(", ", names));
    }

    private static String name(Path file) {
        return file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new UserException("there is no scenario file " + file, e);
        } catch (CharacterCodingException e) {
            throw new UserException(file + ": this is no text in UTF-8", e);
        } catch (IOException e) {
            throw new UserException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private Scenario scenario(String name) {
        checkFloor();
        checkDuration("/phases/warmUp", "0s", "1h");
        checkDuration("/phases/measure", "1s", "24h");
        checkDuration("/search/step", "1s", "1h");
        checkDuration("/backlog/bound", "10s", "24h");
        checkDuration("/trend/block", "1s", "1h");
        checkDuration("/fanOut/step", "1s", "1h");
        checkUp();
        checkBurst();
        checkExcluded("/load/acceleration", BY_THE_CLOCK);
        checkExcluded("/load/shape", OF_ONE_RATE);
        checkExcluded("/search", OF_THE_FIRST_RATE);
        problems.refuse();
        ObjectNode full = root.deepCopy();
        SCHEMA.fill(full);
        String decides = full.path("decides").asText();
        JsonNode checks = full.path("checks");
        return new Scenario(
                name,
                full.path("description").asText(),
                words("brokers"),
                full.path("floor").asText(),
                full.path("pairs").asInt(),
                Arrays.stream(Figure.values())
                        .filter(figure -> figure.key().equals(decides))
                        .findFirst()
                        .orElseThrow(),
                options("load"),
                options("topology"),
                Durability.valueOf(full.path("durability")
                        .asText()
                        .toUpperCase(Locale.ROOT)
                        .replace('-', '_')),
                full.at("/budget/memory").isMissingNode()
                        ? 0
                        : Values.bytes(full.at("/budget/memory").asText()),
                Values.duration(full.at("/phases/warmUp").asText()),
                Values.duration(full.at("/phases/measure").asText()),
                search(full.path("search")),
                backlog(full.path("backlog")),
                trend(full.path("trend")),
                fanOut(full.path("fanOut")),
                burst(full.path("burst")),
                new Checks(
                        checks.path("rateShare").asDouble(),
                        checks.path("stealShare").asDouble(),
                        checks.path("neighbourShare").asDouble(),
                        checks.path("latenessMillis").asLong()));
    }

    private static Optional<Search> search(JsonNode search) {
        return search.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Search(
                        search.path("most").asLong(),
                        Values.duration(search.path("step").asText()),
                        search.path("precision").asDouble(),
                        search.path("sendP99Millis").asDouble()));
    }

    private static Optional<Backlog> backlog(JsonNode backlog) {
        return backlog.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Backlog(
                        backlog.path("readings").asLong(),
                        Math.max(1, backlog.path("rate").asLong()),
                        Values.duration(backlog.path("bound").asText())));
    }

    private static Optional<Trend> trend(JsonNode trend) {
        JsonNode memory = trend.path("memoryGrowthPerHour");
        return trend.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Trend(
                        trend.path("confidence").asDouble(),
                        Values.duration(trend.path("block").asText()),
                        memory.isMissingNode()
                                ? Double.POSITIVE_INFINITY
                                : Values.bytes(memory.asText()) / (double) (1 << 20),
                        trend.path("lagGrowthPerHour").asDouble(Double.POSITIVE_INFINITY),
                        trend.path("sendP99MillisGrowthPerHour").asDouble(Double.POSITIVE_INFINITY)));
    }

    private static Optional<FanOut> fanOut(JsonNode fanOut) {
        return fanOut.isMissingNode()
                ? Optional.empty()
                : Optional.of(new FanOut(
                        fanOut.path("groups").asInt(),
                        Values.duration(fanOut.path("step").asText()),
                        fanOut.path("slowGroupShare").asDouble(),
                        fanOut.path("slowedShare").asDouble()));
    }

    private static Optional<Burst> burst(JsonNode burst) {
        return burst.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Burst(
                        burst.path("sends").asInt(), burst.path("poolThreads").asInt()));
    }

    /** Rows are watched in the result topic, and a send that takes too long must be seen. */
    private void checkBurst() {
        if (root.path("burst").isMissingNode()) {
            return;
        }
        for (String key : List.of("results", "resultsSendLimit")) {
            if (root.path("topology").path(key).isMissingNode()) {
                problems.add(
                        yaml.line(JsonPointer.compile("/burst")),
                        "burst needs topology." + key + "; it must be "
                                + (key.equals("results") ? "topic" : "how long a send may take, such as 30s"));
            }
        }
    }

    private void checkExcluded(String pointer, List<String> sections) {
        JsonPointer where = JsonPointer.compile(pointer);
        sections.stream()
                .filter(section -> root.has(section) && !root.at(where).isMissingNode())
                .forEach(section -> problems.add(
                        yaml.line(where),
                        Problems.path(where) + " and " + section + " exclude each other; leave one of them out"));
    }

    private void checkFloor() {
        JsonPointer where = JsonPointer.compile("/floor");
        JsonNode floor = root.at(where);
        if (floor.isTextual() && words("brokers").contains(floor.asText())) {
            problems.add(
                    yaml.line(where),
                    "floor is '" + floor.asText() + "'; it must be none of brokers, as it runs beside them");
        }
    }

    private List<String> words(String list) {
        List<String> words = new ArrayList<>();
        root.path(list).forEach(word -> words.add(word.asText()));
        return List.copyOf(words);
    }

    private void checkDuration(String pointer, String least, String most) {
        JsonPointer where = JsonPointer.compile(pointer);
        if (root.at(where).isMissingNode() || isWrong(where)) {
            return;
        }
        String text = root.at(where).asText();
        Duration duration = Values.duration(text);
        if (duration.compareTo(Values.duration(least)) < 0 || duration.compareTo(Values.duration(most)) > 0) {
            problems.add(
                    yaml.line(where),
                    Problems.path(where) + " is '" + text + "'; it must be from " + least + " to " + most);
        }
    }

    /** Asks {@code millrace up} about all options together; for what the schema refused already it takes its own defaults. */
    private void checkUp() {
        Map<String, String> up = new TreeMap<>();
        OF_UP.forEach(block -> up.putAll(options(block)));
        try {
            checkBacklog(StackSettings.bind("as options of `millrace up`", Options.of(up)));
        } catch (UserException e) {
            problems.add(e.getMessage());
        }
    }

    /** A broker that drops a part of the backlog before it is drained makes a run of loss, not of a drain. */
    private void checkBacklog(StackSettings settings) {
        JsonPointer where = JsonPointer.compile("/backlog/readings");
        long kept = Values.bytes(settings.text("retention-bytes"));
        long payload = Long.parseLong(settings.text("payload-bytes"));
        if (!root.at(where).isMissingNode() && !isWrong(where) && root.at(where).asDouble() * payload > kept / 2.0) {
            problems.add(
                    yaml.line(where),
                    "backlog.readings is '" + root.at(where).asText() + "'; it must be at most " + kept / 2 / payload
                            + " with payloads of " + payload + " bytes: half of topology.retentionBytes, so that the"
                            + " broker still has all of them");
        }
    }

    /** What is right in a block, as options of {@code millrace up}, by name. */
    private Map<String, String> options(String block) {
        Map<String, String> options = new TreeMap<>();
        root.path(block).properties().forEach(entry -> {
            if (!isWrong(JsonPointer.empty().appendProperty(block).appendProperty(entry.getKey()))) {
                options.put(option(entry.getKey()), optionText(entry.getValue()));
            }
        });
        return Collections.unmodifiableMap(options);
    }

    private boolean isWrong(JsonPointer where) {
        return wrong.contains(where) || wrong.contains(where.head());
    }

    /** The option of {@code millrace up} that a key of load or topology is: {@code payload-bytes} for {@code payloadBytes}. */
    static String option(String key) {
        return key.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** 1e4 and 10000.0 are whole numbers to YAML and schema, and none to an option. */
    private static String optionText(JsonNode value) {
        return value.isNumber() ? value.decimalValue().stripTrailingZeros().toPlainString() : value.asText();
    }
}
