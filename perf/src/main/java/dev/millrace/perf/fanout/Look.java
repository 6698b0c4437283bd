package dev.millrace.perf.fanout;

import dev.millrace.core.reading.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a worker has done so far.
 *
 * @param nanos by the worker's clock; only differences mean something
 * @param parts the groups in their order, or the one copier
 */
public record Look(long nanos, List<Part> parts) {

    /**
     * One reader group, or the copier.
     *
     * @param readings that were read
     * @param missing readings between others of their device that did not come
     * @param repeated readings that came again
     * @param isAtEnd whether it has read up to where it was asked to
     * @param first where it began, by partition, as far as something came
     * @param stored copies that the broker acknowledged, of all topics together; 0 of a group
     * @param p50Micros intended send time to decoded, since the look before; 0 of a copier
     * @param p99Micros likewise
     * @param commits since the look before; 0 of a copier
     * @param commitP50Micros how long a commit kept the reader, likewise
     */
    public record Part(
            long readings,
            long missing,
            long repeated,
            boolean isAtEnd,
            Map<Integer, Position> first,
            long stored,
            long p50Micros,
            long p99Micros,
            long commits,
            long commitP50Micros) {}

    static Look of(Map<String, String> answer) {
        List<Part> parts = new ArrayList<>();
        while (answer.containsKey(parts.size() + ".readings")) {
            String own = parts.size() + ".";
            parts.add(new Part(
                    number(answer, own + "readings"),
                    number(answer, own + "missing"),
                    number(answer, own + "repeated"),
                    Boolean.parseBoolean(answer.get(own + "at-end")),
                    PositionText.parse(answer.get(own + "first")),
                    number(answer, own + "stored"),
                    number(answer, own + "p50-micros-since-look"),
                    number(answer, own + "p99-micros-since-look"),
                    number(answer, own + "commits-since-look"),
                    number(answer, own + "commit-p50-micros-since-look")));
        }
        return new Look(number(answer, "nanos"), List.copyOf(parts));
    }

    private static long number(Map<String, String> answer, String key) {
        return Long.parseLong(answer.getOrDefault(key, "0"));
    }
}
