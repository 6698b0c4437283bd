package dev.millrace.deploy.kubernetes.monitoring;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a test has to know of Prometheus' language: the names of metrics in an expression. */
public final class PromQl {
    private static final Pattern TEXT = Pattern.compile("\"(\\\\.|[^\"\\\\])*\"|'(\\\\.|[^'\\\\])*'|`[^`]*`");
    private static final Pattern COMMENT = Pattern.compile("#[^\n]*");
    private static final Pattern MATCHERS = Pattern.compile("\\{[^}]*}");
    private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*]");
    /** What follows these in brackets are labels. */
    private static final Pattern LABELS =
            Pattern.compile("(?i)\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");

    private static final Pattern WORD = Pattern.compile("(?<![\\w.:])[a-zA-Z_:][a-zA-Z0-9_:]*(?!\\s*\\(|[\\w:])");
    private static final Set<String> KEYWORDS = Set.of(
            "and",
            "or",
            "unless",
            "bool",
            "offset",
            "inf",
            "nan",
            "atan2",
            "group_left",
            "group_right",
            "start",
            "end");

    private PromQl() {}

    /** Sorted; functions, operators, labels and texts are none. */
    public static Set<String> metrics(String expression) {
        String bare = expression;
        // In this order: a text may hold what looks like the others.
        for (Pattern pattern : new Pattern[] {TEXT, COMMENT, MATCHERS, RANGE, LABELS}) {
            bare = pattern.matcher(bare).replaceAll(" ");
        }
        Set<String> metrics = new TreeSet<>();
        Matcher word = WORD.matcher(bare);
        while (word.find()) {
            if (!KEYWORDS.contains(word.group().toLowerCase(java.util.Locale.ROOT))) {
                metrics.add(word.group());
            }
        }
        return metrics;
    }
}
