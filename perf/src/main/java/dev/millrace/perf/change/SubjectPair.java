package dev.millrace.perf.change;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.BenchmarkResult.Subject;
import java.util.List;
import java.util.Optional;

/**
 * A subject of the first result and the one of the second that is held against it.
 *
 * @param a its name in the first result
 * @param b its name in the second, most often the same
 */
public record SubjectPair(String a, String b) {

    /**
     * What a person wrote: {@code A-NAME}, or {@code A-NAME:B-NAME}.
     *
     * @throws UserException when it is neither, or a result has no such subject
     */
    static SubjectPair parse(String text, BenchmarkResult a, BenchmarkResult b) {
        String[] names = text.split(":", -1);
        if (names.length > 2 || List.of(names).contains("")) {
            throw new UserException("--subject is '" + text
                    + "'; it must be the name of a subject, or two such as NAME-IN-A:NAME-IN-B");
        }
        SubjectPair pair = new SubjectPair(names[0], names[names.length - 1]);
        known(pair.a(), "A", a);
        known(pair.b(), "B", b);
        return pair;
    }

    /**
     * Every subject that both have, as the first has them.
     *
     * @throws UserException when they have none in common
     */
    static List<SubjectPair> common(BenchmarkResult a, BenchmarkResult b) {
        List<SubjectPair> common = names(a).stream()
                .filter(names(b)::contains)
                .map(name -> new SubjectPair(name, name))
                .toList();
        if (common.isEmpty()) {
            throw new UserException("the two results have no subject in common: A has " + String.join(", ", names(a))
                    + ", B has " + String.join(", ", names(b)) + "; name two: --subject NAME-IN-A:NAME-IN-B");
        }
        return common;
    }

    /** That subject; of a name that the result has. */
    static Subject subject(BenchmarkResult result, String name) {
        return result.subjects().stream()
                .filter(subject -> subject.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void known(String name, String side, BenchmarkResult result) {
        List<String> names = names(result);
        if (!names.contains(name)) {
            Optional<String> near = Suggestion.nearest(name, names);
            throw new UserException("--subject: " + side + " has no subject '" + name + "'"
                    + near.map(nearest -> "; did you mean '" + nearest + "'?")
                            .orElse("; it has " + String.join(", ", names)));
        }
    }

    private static List<String> names(BenchmarkResult result) {
        return result.subjects().stream().map(Subject::name).toList();
    }

    /** For people. */
    String name() {
        return a.equals(b) ? a : a + " and " + b;
    }
}
