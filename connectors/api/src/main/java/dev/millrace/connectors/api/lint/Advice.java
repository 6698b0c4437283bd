package dev.millrace.connectors.api.lint;

import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What is known of a setting beyond what its server says.
 *
 * @param right the right form, when there is one
 */
public record Advice(String key, AdviceCondition condition, Verdict verdict, Optional<String> right, String sentence) {
    private static final int CELLS = 5;

    /**
     * The lines of a resource beside a class: {@code key | condition | verdict | right form | sentence}; the right form may be
     * empty. Empty lines and those that begin with {@code #} are passed over.
     *
     * @throws IllegalStateException when the resource is not there or a line is not such a line
     */
    public static List<Advice> of(Class<?> beside, String resource) {
        try (InputStream in = beside.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + resource + " beside " + beside.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Advice::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Advice parse(String line) {
        List<String> cells =
                Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
        if (cells.size() != CELLS) {
            throw new IllegalStateException("not " + CELLS + " cells: " + line);
        }
        try {
            return new Advice(
                    cells.get(0),
                    AdviceCondition.parse(cells.get(1)),
                    Verdict.valueOf(cells.get(2).toUpperCase(Locale.ROOT).replace(' ', '_')),
                    Optional.of(cells.get(3)).filter(right -> !right.isEmpty()),
                    cells.get(4));
        } catch (IllegalArgumentException | UserException e) {
            throw new IllegalStateException("no line of advice: " + line, e);
        }
    }
}
