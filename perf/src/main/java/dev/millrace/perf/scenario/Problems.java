package dev.millrace.perf.scenario;

import com.fasterxml.jackson.core.JsonPointer;
import dev.millrace.core.settings.UserException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** All that is wrong with one file, in the order of its lines. */
final class Problems {
    private final String file;
    private final List<Problem> found = new ArrayList<>();

    private record Problem(int line, String sentence) {}

    Problems(String file) {
        this.file = file;
    }

    /** Adds one of a line, from 1. */
    void add(int line, String sentence) {
        found.add(new Problem(line, sentence));
    }

    /** Adds one of the whole file; such come last. */
    void add(String sentence) {
        found.add(new Problem(Integer.MAX_VALUE, sentence));
    }

    /** Throws UserException with all there are, a line each. */
    void refuse() {
        if (!found.isEmpty()) {
            throw new UserException(found.stream()
                    .sorted(Comparator.comparingInt(Problem::line))
                    .map(problem -> file + (problem.line == Integer.MAX_VALUE ? "" : ":" + problem.line) + ": "
                            + problem.sentence)
                    .collect(Collectors.joining("\n")));
        }
    }

    /** A place for people: {@code load.rate}, {@code brokers[1]}. */
    static String path(JsonPointer where) {
        StringBuilder path = new StringBuilder();
        for (JsonPointer at = where; !at.matches(); at = at.tail()) {
            if (at.mayMatchElement()) {
                path.append('[').append(at.getMatchingIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(at.getMatchingProperty());
            }
        }
        return path.isEmpty() ? "the file" : path.toString();
    }
}
