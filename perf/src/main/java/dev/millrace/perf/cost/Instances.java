package dev.millrace.perf.cost;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.deploy.price.InstanceType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a person says a benchmark runs on; nothing can check it.
 *
 * @param groups in the order in which they were named
 */
public record Instances(List<Group> groups) {
    private static final String OPTION = "--instances";
    private static final String EXAMPLE = "broker=i7i.2xlarge*3,clients=c5.2xlarge*2";
    private static final int MOST = 10_000;

    private static final List<String> SIZES = List.of("nano", "micro", "small", "medium", "large", "xlarge", "metal");
    private static final Pattern SIZE = Pattern.compile("(.*\\.)(\\d*)([^.]*)");
    private static final Pattern GROUP = Pattern.compile("([a-z][a-z0-9-]*)=([^=*\\s]+)(?:\\*(\\d{1,9}))?");

    public Instances {
        groups = List.copyOf(groups);
    }

    /**
     * Some instances of one type.
     *
     * @param name what they are for, such as {@code broker}
     * @param count from 1
     */
    public record Group(String name, String type, int count) {}

    /**
     * Parses {@code NAME=TYPE*COUNT,...}; without {@code *COUNT} it is one instance.
     *
     * @param priced types that a misspelled one may have meant
     * @param problems what is wrong goes there
     * @return groups that are right
     */
    public static Instances parse(String text, Collection<String> priced, List<String> problems) {
        List<Group> groups = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String part : text.split(",", -1)) {
            Matcher group = GROUP.matcher(part);
            if (!group.matches()) {
                problems.add(OPTION + ": '" + part + "' must be NAME=TYPE*COUNT, such as in " + EXAMPLE);
                continue;
            }
            String name = group.group(1);
            String type = group.group(2);
            int count = group.group(3) == null ? 1 : Integer.parseInt(group.group(3));
            int before = problems.size();
            if (!names.add(name)) {
                problems.add(OPTION + ": " + name + " is there twice; give each group a name of its own");
            }
            if (!InstanceType.isType(type)) {
                problems.add(OPTION + ": '" + type + "' of " + name
                        + " is no instance type; it must be family and size, such as c5.2xlarge"
                        + meant(type, priced)
                                .map(near -> ". Did you mean '" + near + "'?")
                                .orElse(""));
            }
            if (count < 1 || count > MOST) {
                problems.add(OPTION + ": " + name + " has " + count + " instances; it must be from 1 to " + MOST);
            }
            if (problems.size() == before) {
                groups.add(new Group(name, type, count));
            }
        }
        return new Instances(groups);
    }

    /** The same with its size spelled well: a nearer type may be twice as large. Else the nearest that has a price. */
    private static Optional<String> meant(String type, Collection<String> priced) {
        Matcher size = SIZE.matcher(type);
        return Optional.of(size)
                .filter(Matcher::matches)
                .flatMap(parts -> Suggestion.nearest(parts.group(3), SIZES))
                .map(word -> size.group(1) + size.group(2) + word)
                .filter(InstanceType::isType)
                .or(() -> Suggestion.nearest(type, priced));
    }

    /** As {@link #parse} reads it back. */
    public String text() {
        return groups.stream()
                .map(group -> group.name() + "=" + group.type() + "*" + group.count())
                .collect(Collectors.joining(","));
    }
}
