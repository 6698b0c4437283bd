package dev.millrace.perf.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Packets that a cloud's network held back or dropped because an instance had used up its allowance. The ENA driver of EC2 counts
 * them, and {@code ethtool -S} prints them; elsewhere there are no such counters.
 */
public final class NetworkAllowances implements CreditProbe {
    private static final Path INTERFACES = Path.of("/sys/class/net");
    private static final Pattern EXCEEDED = Pattern.compile("\\s*(\\w{1,60}_allowance_exceeded):\\s*(\\d{1,18})\\s*");
    private static final long SECONDS = 2;

    @Override
    public Map<String, Long> heldBack() {
        Map<String, Long> counts = new TreeMap<>();
        for (String card : cards()) {
            parse(printed(card)).forEach((name, count) -> counts.put(card + " " + name, count));
        }
        return counts;
    }

    /** @param printed by {@code ethtool -S}; whatever else it is, nothing is counted */
    static Map<String, Long> parse(String printed) {
        Map<String, Long> counts = new TreeMap<>();
        printed.lines()
                .map(EXCEEDED::matcher)
                .filter(Matcher::matches)
                .forEach(found -> counts.put(found.group(1), Long.parseLong(found.group(2))));
        return counts;
    }

    /** Network cards that a driver of the machine's hardware serves: others, such as loopback, have no such counters. */
    private static List<String> cards() {
        List<String> cards = new ArrayList<>();
        try (DirectoryStream<Path> interfaces = Files.newDirectoryStream(INTERFACES)) {
            for (Path one : interfaces) {
                if (Files.exists(one.resolve("device"))) {
                    cards.add(one.getFileName().toString());
                }
            }
        } catch (IOException e) {
            // No Linux.
            return List.of();
        }
        return cards;
    }

    /** Empty where the program is not there, has not the right, or does not end in time. */
    private static String printed(String card) {
        Process process;
        try {
            process = new ProcessBuilder("ethtool", "-S", card)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return "";
        }
        try {
            // What it prints is some kilobytes, which a pipe holds: it never waits for this reader.
            return process.waitFor(SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0
                    ? new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        } finally {
            process.destroyForcibly();
        }
    }
}
