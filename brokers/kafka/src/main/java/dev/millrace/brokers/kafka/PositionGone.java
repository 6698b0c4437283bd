package dev.millrace.brokers.kafka;

import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/** The sentence for a position that the broker does not have (any more). */
final class PositionGone {
    private PositionGone() {}

    static String sentence(Map<TopicPartition, Long> positions) {
        String where = positions.entrySet().stream()
                .map(entry -> "offset " + entry.getValue() + " of topic '"
                        + entry.getKey().topic() + "', partition "
                        + entry.getKey().partition())
                .sorted()
                .collect(Collectors.joining("; "));
        return where
                + " is no longer there: the retention has removed it, or the topic was made anew. Nothing is skipped"
                + " silently: start without the checkpoint, and give the topic a longer retention";
    }
}
