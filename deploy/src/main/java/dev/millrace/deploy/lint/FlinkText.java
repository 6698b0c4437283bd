package dev.millrace.deploy.lint;

import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.core.settings.UserException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** The settings in a text of Flink's, with their lines. */
final class FlinkText {
    /** Between the elements of a list. */
    static final String SEPARATOR = ";";

    private FlinkText() {}

    /**
     * YAML: levels and dots mean the same; a list is its elements with {@code ;} between.
     *
     * @throws UserException when Flink would not read it
     */
    static List<SettingLine> yaml(String text) {
        Optional<Node> root;
        try {
            root = new Compose(LoadSettings.builder().build()).composeString(text);
        } catch (YamlEngineException e) {
            throw new UserException("it is no YAML: " + e.getMessage().lines().collect(Collectors.joining(" ")), e);
        }
        return root.map(node -> {
                    if (!(node instanceof MappingNode mapping)) {
                        throw new UserException("it holds no settings; write lines KEY: VALUE");
                    }
                    List<SettingLine> settings = YamlLevels.plain(SEPARATOR).settings(mapping);
                    refuseRepeated("", mapping);
                    return settings;
                })
                .orElse(List.of());
    }

    /** Flink reads nothing of a file in which one mapping has a key twice; a key that two levels spell out is another matter. */
    private static void refuseRepeated(String prefix, MappingNode mapping) {
        Map<String, Integer> before = new HashMap<>();
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode scalar)) {
                continue;
            }
            int line = YamlLevels.line(entry);
            String key = prefix + scalar.getValue();
            Integer first = before.putIfAbsent(scalar.getValue(), line);
            if (first != null) {
                throw new UserException("line " + line + ": the key " + key + " stands in line " + first
                        + " already; Flink does not read the file until one of the two is gone");
            }
            if (entry.getValueNode() instanceof MappingNode below) {
                refuseRepeated(key + ".", below);
            }
        }
    }

    /** The old format: {@code KEY: VALUE} and nothing else; what is behind a {@code #} is a comment. */
    static List<SettingLine> lines(String text) {
        List<SettingLine> settings = new ArrayList<>();
        String[] lines = text.split("\r\n|\n|\r", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].split("#", 2)[0].strip();
            if (line.isEmpty()) {
                continue;
            }
            String[] parts =
                    line.endsWith(":") ? new String[] {line.substring(0, line.length() - 1), ""} : line.split(": ", 2);
            if (parts.length != 2) {
                throw new UserException(
                        "line " + (i + 1) + " is not KEY: VALUE, with a blank behind the colon; Flink passes it over");
            }
            settings.add(new SettingLine(i + 1, parts[0].strip(), parts[1].strip()));
        }
        return settings;
    }
}
