package dev.millrace.deploy.lint;

import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.core.settings.UserException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * How settings are read out of a mapping in YAML: levels and dots mean the same.
 *
 * @param separator what is put between the elements of a list
 * @param old whether it is read as YAML 1.1, as Helm and kubectl do: {@code <<} takes in another mapping, and {@code yes} is true
 */
record YamlLevels(String separator, boolean old) {
    /** Beyond every real file; a mapping may be made to hold itself. */
    private static final int DEPTH_MAX = 30;

    private static final String MERGE = "<<";
    private static final Set<String> TRUE = Set.of("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "True", "TRUE");
    private static final Set<String> FALSE = Set.of("n", "N", "no", "No", "NO", "off", "Off", "OFF", "False", "FALSE");

    /** As YAML 1.2. */
    static YamlLevels plain(String separator) {
        return new YamlLevels(separator, false);
    }

    /** As YAML 1.1. */
    static YamlLevels old(String separator) {
        return new YamlLevels(separator, true);
    }

    /** @throws UserException when it holds itself */
    List<SettingLine> settings(MappingNode mapping) {
        List<SettingLine> settings = new ArrayList<>();
        add(settings, "", mapping, 1);
        return settings;
    }

    private void add(List<SettingLine> settings, String prefix, MappingNode mapping, int depth) {
        refuseEndless(depth);
        for (NodeTuple entry : old ? merged(mapping, depth) : mapping.getValue()) {
            int line = line(entry);
            String key = prefix + name(entry);
            if (entry.getValueNode() instanceof MappingNode below) {
                add(settings, key + ".", below, depth + 1);
            } else if (entry.getValueNode() instanceof SequenceNode list) {
                settings.add(new SettingLine(
                        line, key, list.getValue().stream().map(this::scalar).collect(Collectors.joining(separator))));
            } else {
                settings.add(new SettingLine(line, key, scalar(entry.getValueNode())));
            }
        }
    }

    /**
     * What a mapping has, with what it takes in from others; its own say counts, and of several the first one's.
     *
     * @throws UserException when it holds itself
     */
    static List<NodeTuple> merged(MappingNode mapping) {
        return merged(mapping, 1);
    }

    private static List<NodeTuple> merged(MappingNode mapping, int depth) {
        refuseEndless(depth);
        List<NodeTuple> all = mapping.getValue().stream()
                .filter(entry -> !name(entry).equals(MERGE))
                .collect(Collectors.toCollection(ArrayList::new));
        Set<String> names = new HashSet<>();
        all.forEach(entry -> names.add(name(entry)));
        mapping.getValue().stream()
                .filter(entry -> name(entry).equals(MERGE))
                .map(NodeTuple::getValueNode)
                .flatMap(node -> node instanceof SequenceNode list ? list.getValue().stream() : Stream.of(node))
                .filter(MappingNode.class::isInstance)
                .flatMap(other -> merged((MappingNode) other, depth + 1).stream())
                .filter(entry -> names.add(name(entry)))
                .forEach(all::add);
        return all;
    }

    private static void refuseEndless(int depth) {
        if (depth > DEPTH_MAX) {
            throw new UserException("it has more than " + DEPTH_MAX + " levels, or one that holds itself");
        }
    }

    /** From 1. */
    static int line(NodeTuple entry) {
        return entry.getKeyNode().getStartMark().map(Mark::getLine).orElse(0) + 1;
    }

    /** Empty for a key that is no text. */
    static String name(NodeTuple entry) {
        return entry.getKeyNode() instanceof ScalarNode scalar
                ? scalar.getValue().strip()
                : "";
    }

    private String scalar(Node node) {
        if (!(node instanceof ScalarNode scalar)) {
            return "";
        }
        String text = scalar.getValue().strip();
        if (!old || scalar.getScalarStyle() != ScalarStyle.PLAIN) {
            return text;
        }
        return TRUE.contains(text) ? "true" : FALSE.contains(text) ? "false" : text;
    }
}
