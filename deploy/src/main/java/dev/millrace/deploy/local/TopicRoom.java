package dev.millrace.deploy.local;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * A server of ours that keeps readings in its memory and has no room for what a stack's topics are to keep.
 *
 * @param broker its name
 * @param topics the stack's
 * @param further how many more are made beside it that keep as much
 * @param keptBytes of each topic
 * @param roomBytes for all together
 */
public record TopicRoom(String broker, List<String> topics, int further, long keptBytes, long roomBytes) {
    /** Also the least that a stack may be told to keep. */
    private static final long STEP_BYTES = 64L << 20;

    /**
     * Throws UserException where the server would refuse the stack's topics.
     *
     * @param here of the stack with data that is to become one with these settings: what it has too little room for already is not new
     */
    public static void require(Broker broker, StackSettings settings, Optional<StackSettings> here) {
        if (here.flatMap(there -> lacking(broker, there, 0)).isEmpty()) {
            lacking(broker, settings, 0).ifPresent(room -> {
                throw new UserException(room.sentence()
                        + (here.isPresent() ? "; a stack with data takes neither: millrace down, then up" : ""));
            });
        }
    }

    /** Empty where the server has room, or the topics are elsewhere. */
    public static Optional<TopicRoom> lacking(Broker broker, StackSettings settings, int further) {
        OptionalLong room = settings.isForeignBroker()
                ? OptionalLong.empty()
                : broker.localRoomBytes(StackMemory.ofServer(settings));
        List<TopicSpec> topics = StackTopics.of(settings);
        // Those beside are like the stack's own.
        long wanted = topics.stream().mapToLong(broker::localTopicBytes).sum()
                + further * broker.localTopicBytes(topics.get(0));
        return room.isEmpty() || wanted <= room.getAsLong()
                ? Optional.empty()
                : Optional.of(new TopicRoom(
                        broker.name(),
                        topics.stream().map(TopicSpec::name).toList(),
                        further,
                        settings.retentionBytes(),
                        room.getAsLong()));
    }

    /** What is kept is dropped block by block, so a topic comes to a little more than it is to keep. */
    private static long share(long roomBytes, int topics) {
        return roomBytes / topics / 9 * 8;
    }

    /** What each may keep so that all fit; 0 where that is less than a stack may be told. */
    public long fittingBytes() {
        return share(roomBytes, topics.size() + further) / STEP_BYTES * STEP_BYTES;
    }

    /** What is wrong and what would be right, in the options of {@code up}. */
    public String sentence() {
        int count = topics.size() + further;
        return topics.stream().map(topic -> "'" + topic + "'").collect(Collectors.joining(" and "))
                + (further == 0 ? "" : " and " + further + " more that are made beside")
                + (count == 1 ? " is" : " are") + " to keep " + Values.text(keptBytes)
                + (count == 1 ? "" : " each") + " (--retention-bytes), but broker '" + broker
                + "' keeps topics in its memory and has room for " + (roomBytes >> 20)
                + "MiB of them together; name "
                + (fittingBytes() > 0 ? "--retention-bytes " + (fittingBytes() >> 20) + "MiB, or " : "")
                + "a greater --broker-memory";
    }
}
