package dev.millrace.perf.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a JVM stood still for its garbage collector, from its log ({@code -Xlog:gc:file=...:time}, JEP 158): the lines that begin
 * with "Pause". What a collector does beside the program is none of it.
 *
 * @param totalMillis of all pauses
 * @param longestMillis 0 when there was none
 */
public record CollectorPauses(double totalMillis, double longestMillis) {
    private static final Pattern PAUSE = Pattern.compile("\\[([^\\]]+)\\] GC\\(\\d+\\) Pause .* ([0-9.]+)ms");
    private static final Pattern LINE = Pattern.compile("\\[([^\\]]+)\\]");
    /** The JVM's name for the file before the current one; there is no other ({@code filecount=1}). */
    private static final String BEFORE = ".0";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSZ");

    /**
     * Of pauses that ended in {@code fromMillis} to {@code toMillis}, epoch; empty when the log cannot be read, or was rotated so often
     * that it no longer goes back to {@code fromMillis}.
     */
    public static Optional<CollectorPauses> between(Path log, long fromMillis, long toMillis) {
        try {
            // The current file first: what is moved while they are read is then in both, and counted once, rather than
            // in neither.
            List<String> current = Files.readAllLines(log, StandardCharsets.UTF_8);
            Path before = log.resolveSibling(log.getFileName() + BEFORE);
            if (!Files.exists(before)) {
                return Optional.of(of(current, fromMillis, toMillis));
            }
            Set<String> lines = new LinkedHashSet<>(Files.readAllLines(before, StandardCharsets.UTF_8));
            lines.addAll(current);
            return goesBackTo(fromMillis, lines) ? Optional.of(of(lines, fromMillis, toMillis)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Whether the oldest line that has a time is not later than {@code millis}: what was in files before it is gone. */
    private static boolean goesBackTo(long millis, Collection<String> lines) {
        return lines.stream()
                .map(LINE::matcher)
                .filter(Matcher::lookingAt)
                .map(line -> millis(line.group(1)))
                .flatMapToLong(OptionalLong::stream)
                .limit(1)
                .anyMatch(oldest -> oldest <= millis);
    }

    static CollectorPauses of(Collection<String> lines, long fromMillis, long toMillis) {
        double total = 0;
        double longest = 0;
        for (String line : lines) {
            Matcher pause = PAUSE.matcher(line);
            if (pause.matches() && isBetween(millis(pause.group(1)), fromMillis, toMillis)) {
                double millis = Double.parseDouble(pause.group(2));
                total += millis;
                longest = Math.max(longest, millis);
            }
        }
        return new CollectorPauses(total, longest);
    }

    private static boolean isBetween(OptionalLong millis, long fromMillis, long toMillis) {
        return millis.isPresent() && millis.getAsLong() >= fromMillis && millis.getAsLong() < toMillis;
    }

    private static OptionalLong millis(String time) {
        try {
            return OptionalLong.of(TIME.parse(time, Instant::from).toEpochMilli());
        } catch (DateTimeException e) {
            return OptionalLong.empty();
        }
    }
}
