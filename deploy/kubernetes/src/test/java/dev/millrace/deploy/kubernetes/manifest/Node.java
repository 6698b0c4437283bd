package dev.millrace.deploy.kubernetes.manifest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** One node of a YAML text, with its line. Immutable. */
sealed interface Node {

    /** Where it begins, from 1; of a field's value, where its key stands. */
    int line();

    record Mapping(int line, Map<String, Node> fields) implements Node {
        public Mapping {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    record Sequence(int line, List<Node> items) implements Node {
        public Sequence {
            items = List.copyOf(items);
        }
    }

    /** What a plain word is taken for by the servers' YAML, which is 1.1: {@code 0440} is octal and {@code on} is true. */
    enum Type {
        TEXT("a text"),
        INTEGER("a whole number"),
        NUMBER("a number"),
        BOOLEAN("true or false"),
        NOTHING("nothing");

        final String words;

        Type(String words) {
            this.words = words;
        }
    }

    record Scalar(int line, String text, boolean quoted) implements Node {
        private static final Pattern NOTHING = Pattern.compile("|~|null|Null|NULL");
        private static final Pattern BOOLEAN =
                Pattern.compile("true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF");
        private static final Pattern INTEGER = Pattern.compile("[-+]?(0|[1-9][0-9_]*|0o?[0-7]+|0x[0-9a-fA-F]+)");
        private static final Pattern NUMBER = Pattern.compile("[-+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?");

        /** As it would stand in a file. */
        static Scalar of(int line, String written) {
            return written.startsWith("\"")
                    ? new Scalar(line, written.substring(1, written.length() - 1), true)
                    : new Scalar(line, written, false);
        }

        Type type() {
            if (quoted) {
                return Type.TEXT;
            }
            if (NOTHING.matcher(text).matches()) {
                return Type.NOTHING;
            }
            if (BOOLEAN.matcher(text).matches()) {
                return Type.BOOLEAN;
            }
            if (INTEGER.matcher(text).matches()) {
                return Type.INTEGER;
            }
            return NUMBER.matcher(text).matches() ? Type.NUMBER : Type.TEXT;
        }
    }

    /** One step down: a field's name, or an item's number in brackets. */
    record Step(String name, int index) {
        boolean isItem() {
            return index >= 0;
        }

        /** {@code spec.ports[0].name}; a name with dots stands in brackets: {@code labels[a.b/c]}. */
        static List<Step> of(String path) {
            List<Step> steps = new ArrayList<>();
            Pattern.compile("\\[(\\d+)]|\\[([^]]+)]|([^.\\[]+)")
                    .matcher(path)
                    .results()
                    .forEach(found -> steps.add(
                            found.group(1) != null
                                    ? new Step("", Integer.parseInt(found.group(1)))
                                    : new Step(found.group(2) != null ? found.group(2) : found.group(3), -1)));
            return steps;
        }
    }
}
