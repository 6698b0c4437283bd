package dev.millrace.deploy.lint;

import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.core.settings.UserException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** The settings in a text of Flink's, with their lines. */
final class FlinkText {
    /** Beyond every real file; a mapping may be made to hold itself. */
    private static final int DEPTH_MAX = 30;

    private FlinkText() {}

    /** YAML: levels and dots mean the same; a list is its elements with {@code ;} between. */
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
                    return in(mapping);
                })
                .orElse(List.of());
    }

    /** The settings in a mapping, levels and dots meaning the same. */
    static List<SettingLine> in(MappingNode mapping) {
        List<SettingLine> settings = new ArrayList<>();
        add(settings, "", mapping, 1);
        return settings;
    }

    private static void add(List<SettingLine> settings, String prefix, MappingNode mapping, int depth) {
        if (depth > DEPTH_MAX) {
            throw new UserException("it has more than " + DEPTH_MAX + " levels, or one that holds itself");
        }
        for (NodeTuple entry : mapping.getValue()) {
            int line = entry.getKeyNode().getStartMark().map(Mark::getLine).orElse(0) + 1;
            String key = prefix + scalar(entry.getKeyNode());
            if (entry.getValueNode() instanceof MappingNode below) {
                add(settings, key + ".", below, depth + 1);
            } else if (entry.getValueNode() instanceof SequenceNode list) {
                settings.add(new SettingLine(
                        line,
                        key,
                        list.getValue().stream().map(FlinkText::scalar).collect(Collectors.joining(";"))));
            } else {
                settings.add(new SettingLine(line, key, scalar(entry.getValueNode())));
            }
        }
    }

    private static String scalar(Node node) {
        return node instanceof ScalarNode scalar ? scalar.getValue().strip() : "";
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
