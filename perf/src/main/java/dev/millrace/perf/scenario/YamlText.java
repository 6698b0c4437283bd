package dev.millrace.perf.scenario;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** A YAML file as a tree, with the line of each key, and what YAML allows but nobody means. */
final class YamlText {
    private static final YAMLMapper MAPPER = new YAMLMapper();

    private final JsonNode root;
    private final Map<JsonPointer, Integer> lines;

    private YamlText(JsonNode root, Map<JsonPointer, Integer> lines) {
        this.root = root;
        this.lines = lines;
    }

    /**
     * Reads {@code text}.
     *
     * @param file for messages
     * @param problems what is YAML and wrong nevertheless goes there
     * @throws UserException when it is no YAML: one sentence with line and column
     */
    static YamlText parse(String file, String text, Problems problems) {
        try {
            Map<JsonPointer, Integer> lines = new HashMap<>();
            try (YAMLParser parser = MAPPER.getFactory().createParser(text)) {
                look(parser, lines, problems);
            }
            return new YamlText(MAPPER.readTree(text), lines);
        } catch (JsonProcessingException e) {
            throw new UserException(file + syntax(e), e);
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory cannot be read", e);
        }
    }

    /** A missing node for an empty file. */
    JsonNode root() {
        return root;
    }

    /** The line of what is there, from 1; that of what it would be in, when it is not there. */
    int line(JsonPointer where) {
        for (JsonPointer at = where; at != null; at = at.head()) {
            Integer line = lines.get(at);
            if (line != null) {
                return line;
            }
        }
        return 1;
    }

    /** The tree alone would keep the last of two keys, an alias as the text of its name, and the first of two documents. */
    private static void look(YAMLParser parser, Map<JsonPointer, Integer> lines, Problems problems) throws IOException {
        Deque<Set<String>> keys = new ArrayDeque<>();
        boolean ended = false;
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            JsonPointer where = parser.getParsingContext().pathAsPointer();
            int line = parser.currentTokenLocation().getLineNr();
            if (ended) {
                problems.add(line, "a second document begins; a scenario is one");
                return;
            }
            lines.putIfAbsent(where, line);
            if (parser.isCurrentAlias()) {
                problems.add(line, Problems.path(where) + " is an alias; write the value itself");
            }
            if (token == JsonToken.START_OBJECT) {
                keys.push(new HashSet<>());
            } else if (token == JsonToken.END_OBJECT) {
                keys.pop();
            } else if (token == JsonToken.FIELD_NAME && !keys.element().add(parser.currentName())) {
                problems.add(line, Problems.path(where) + " is there twice; leave one");
            }
            ended = parser.getParsingContext().inRoot();
        }
    }

    private static String syntax(JsonProcessingException e) {
        JsonLocation location = e.getLocation();
        String at = location == null ? "" : ":" + location.getLineNr() + ":" + location.getColumnNr();
        String problem = e.getOriginalMessage();
        if (e.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
            at = ":" + (marked.getProblemMark().getLine() + 1) + ":"
                    + (marked.getProblemMark().getColumn() + 1);
            problem = marked.getProblem();
        }
        return at + ": this is no YAML: " + problem.lines().findFirst().orElse("");
    }
}
