package dev.millrace.deploy.local;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Whether a server of ours that keeps readings in its memory has room for what a stack's topics are to keep. */
public final class TopicRoom {
    /** Also the least that a stack may be told to keep. */
    private static final long RETENTION_STEP_BYTES = 64L << 20;

    private TopicRoom() {}

    /** Throws UserException where it has not. */
    public static void require(Broker broker, StackSettings settings) {
        refusal(broker, settings).ifPresent(sentence -> {
            throw new UserException(sentence);
        });
    }

    /** Why it has not, and what would fit; empty where it has, or the topics are elsewhere. */
    public static Optional<String> refusal(Broker broker, StackSettings settings) {
        OptionalLong room = settings.isForeignBroker()
                ? OptionalLong.empty()
                : broker.localRoomBytes(StackMemory.ofServer(settings));
        List<TopicSpec> topics = StackTopics.of(settings);
        long kept = topics.stream().mapToLong(TopicSpec::retentionBytes).sum();
        if (room.isEmpty() || kept <= room.getAsLong()) {
            return Optional.empty();
        }
        // What is kept is dropped block by block, so a topic comes to a little more than it is to keep.
        long each = room.getAsLong() / topics.size() / 9 * 8 / RETENTION_STEP_BYTES * RETENTION_STEP_BYTES;
        return Optional.of(
                topics.stream().map(topic -> "'" + topic.name() + "'").collect(Collectors.joining(" and "))
                        + (topics.size() == 1 ? " is" : " are") + " to keep " + Values.text(settings.retentionBytes())
                        + (topics.size() == 1 ? "" : " each") + " (--retention-bytes), but broker '" + broker.name()
                        + "' keeps topics in its memory and has room for " + (room.getAsLong() >> 20)
                        + "MiB of them together; name "
                        + (each > 0 ? "--retention-bytes " + (each >> 20) + "MiB, or " : "")
                        + "a greater --broker-memory");
    }
}
