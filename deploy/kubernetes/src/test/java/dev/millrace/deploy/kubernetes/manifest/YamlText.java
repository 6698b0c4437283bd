package dev.millrace.deploy.kubernetes.manifest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads YAML strictly: what some readers pass over, a key that is there twice above all, is an error here. */
final class YamlText {
    private static final LoadSettings SETTINGS = LoadSettings.builder().build();

    private YamlText() {}

    /** A text that is no YAML as it is written here. */
    static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;
        final int line;

        Unreadable(int line, String message) {
            super(message);
            this.line = line;
        }
    }

    /** @throws Unreadable with the line */
    static List<Node.Mapping> documents(String text) {
        List<Node.Mapping> documents = new ArrayList<>();
        try {
            for (org.snakeyaml.engine.v2.nodes.Node root : new Compose(SETTINGS).composeAllFromString(text)) {
                if (node(root, line(root)) instanceof Node.Mapping mapping) {
                    documents.add(mapping);
                } else {
                    throw new Unreadable(line(root), "a document that is no object");
                }
            }
        } catch (MarkedYamlEngineException e) {
            throw new Unreadable(e.getProblemMark().map(Mark::getLine).orElse(0) + 1, "no YAML: " + e.getProblem());
        }
        return documents;
    }

    private static Node node(org.snakeyaml.engine.v2.nodes.Node node, int line) {
        if (node.getAnchor().isPresent()) {
            throw new Unreadable(line, "an anchor; nothing here stands for something else");
        }
        if (node instanceof MappingNode mapping) {
            Map<String, Node> fields = new LinkedHashMap<>();
            for (NodeTuple field : mapping.getValue()) {
                int at = line(field.getKeyNode());
                String key = ((ScalarNode) field.getKeyNode()).getValue();
                if (fields.put(key, node(field.getValueNode(), at)) != null) {
                    throw new Unreadable(at, "'" + key + "' is there twice");
                }
            }
            return new Node.Mapping(line, fields);
        }
        if (node instanceof SequenceNode sequence) {
            return new Node.Sequence(
                    line,
                    sequence.getValue().stream()
                            .map(item -> node(item, line(item)))
                            .toList());
        }
        ScalarNode scalar = (ScalarNode) node;
        return new Node.Scalar(line, scalar.getValue(), scalar.getScalarStyle() != ScalarStyle.PLAIN);
    }

    private static int line(org.snakeyaml.engine.v2.nodes.Node node) {
        return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
    }
}
