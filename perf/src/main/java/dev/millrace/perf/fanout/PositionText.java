package dev.millrace.perf.fanout;

import dev.millrace.core.reading.Position;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Positions by partition as one word: {@code 0=0:17,1=0:4}. */
public final class PositionText {
    private PositionText() {}

    public static String of(Map<Integer, Position> positions) {
        return new TreeMap<>(positions)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(","));
    }

    /** Parses what {@link #of} made. */
    public static Map<Integer, Position> parse(String text) {
        Map<Integer, Position> positions = new TreeMap<>();
        Arrays.stream(text.split(",")).filter(word -> !word.isEmpty()).forEach(word -> {
            int sign = word.indexOf('=');
            positions.put(Integer.parseInt(word.substring(0, sign)), Position.parse(word.substring(sign + 1)));
        });
        return positions;
    }
}
