package dev.millrace.perf.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
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
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSZ");

    /** Of pauses that ended in {@code fromMillis} to {@code toMillis}, epoch; empty when the log cannot be read. */
    public static Optional<CollectorPauses> between(Path log, long fromMillis, long toMillis) {
        try {
            return Optional.of(of(Files.readAllLines(log, StandardCharsets.UTF_8), fromMillis, toMillis));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static CollectorPauses of(List<String> lines, long fromMillis, long toMillis) {
        double total = 0;
        double longest = 0;
        for (String line : lines) {
            Matcher pause = PAUSE.matcher(line);
            if (pause.matches() && isBetween(pause.group(1), fromMillis, toMillis)) {
                double millis = Double.parseDouble(pause.group(2));
                total += millis;
                longest = Math.max(longest, millis);
            }
        }
        return new CollectorPauses(total, longest);
    }

    private static boolean isBetween(String time, long fromMillis, long toMillis) {
        try {
            long millis = TIME.parse(time, Instant::from).toEpochMilli();
            return millis >= fromMillis && millis < toMillis;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
