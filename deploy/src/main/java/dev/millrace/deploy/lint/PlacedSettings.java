package dev.millrace.deploy.lint;

import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.connectors.api.lint.SettingsPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Settings of one kind that stand in a file of something else. What is around them is not looked at: a strict apply to a cluster, or the chart, does.
 *
 * @param settings at least one
 * @param asWritten the same, with what their keys begin with there
 */
record PlacedSettings(SettingsKind kind, List<SettingLine> settings, List<SettingLine> asWritten) {
    /** In the values of a chart these are variables of the container, such as its heap. */
    private static final Pattern VARIABLE = Pattern.compile("[A-Z][A-Z0-9_]*");

    /** All of them in a file's text, in the order of its documents; none where it is no YAML, or has none of the places. */
    static List<PlacedSettings> in(String text, List<SettingsKind> kinds) {
        List<PlacedSettings> found = new ArrayList<>();
        try {
            for (Node document : new Compose(LoadSettings.builder().build()).composeAllFromString(text)) {
                if (document instanceof MappingNode mapping) {
                    kinds.forEach(kind -> kind.places().forEach(place -> add(found, kind, place, mapping)));
                }
            }
        } catch (YamlEngineException e) {
            return List.of();
        }
        return found;
    }

    private static void add(List<PlacedSettings> found, SettingsKind kind, SettingsPlace place, MappingNode document) {
        String object = at(document, "kind")
                .filter(ScalarNode.class::isInstance)
                .map(node -> ((ScalarNode) node).getValue())
                .orElse("");
        Optional<Node> node = Optional.of((Node) document).filter(any -> object.equals(place.object()));
        for (String name : place.path().split("\\.")) {
            node = node.filter(MappingNode.class::isInstance).flatMap(below -> at((MappingNode) below, name));
        }
        List<SettingLine> asWritten = node
                .filter(MappingNode.class::isInstance)
                .map(below -> YamlLevels.old(place.separator()).settings((MappingNode) below))
                .orElse(List.of())
                .stream()
                .filter(line -> !object.isEmpty()
                        || !VARIABLE.matcher(without(place.prefix(), line).key())
                                .matches())
                .filter(line -> place.others().stream().noneMatch(line.key()::startsWith))
                .toList();
        if (!asWritten.isEmpty()) {
            found.add(new PlacedSettings(
                    kind,
                    asWritten.stream()
                            .map(line -> without(place.prefix(), line))
                            .toList(),
                    asWritten));
        }
    }

    private static SettingLine without(String prefix, SettingLine line) {
        return line.key().startsWith(prefix)
                ? new SettingLine(line.line(), line.key().substring(prefix.length()), line.value())
                : line;
    }

    private static Optional<Node> at(MappingNode mapping, String name) {
        return YamlLevels.merged(mapping).stream()
                .filter(entry -> YamlLevels.name(entry).equals(name))
                .map(NodeTuple::getValueNode)
                .findFirst();
    }
}
