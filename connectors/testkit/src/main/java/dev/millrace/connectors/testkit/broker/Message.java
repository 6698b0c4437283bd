package dev.millrace.connectors.testkit.broker;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** One payload to be published. */
record Message(String key, byte[] payload, long eventTimeMillis) {
    /** Records of a {@link #backlog}. */
    static final int BACKLOG = 120;

    private static final long START_MILLIS = 1_700_000_000_000L;

    byte[] keyBytes() {
        return key.getBytes(StandardCharsets.UTF_8);
    }

    String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    /** {@code KEY/NUMBER}, from {@code first} on, the keys in turn; the event time grows by one with each. */
    static List<Message> numbered(int keys, int first, int count) {
        List<Message> messages = new ArrayList<>(count);
        for (int i = first; i < first + count; i++) {
            String key = "device-" + i % keys;
            messages.add(new Message(key, (key + "/" + i).getBytes(StandardCharsets.UTF_8), START_MILLIS + i));
        }
        return messages;
    }

    /** As {@link #numbered}, payloads of the size of a reading, most of which is the same in all. */
    static List<Message> filled(int keys, int first, int count) {
        List<Message> messages = new ArrayList<>(count);
        for (Message message : numbered(keys, first, count)) {
            byte[] payload = (message.text() + " " + "filler ".repeat(40)).getBytes(StandardCharsets.UTF_8);
            messages.add(new Message(message.key(), payload, message.eventTimeMillis()));
        }
        return messages;
    }

    /** Of one key, 12 MB: more than a broker gives in one chunk, or a reader takes ahead. */
    static List<Message> backlog() {
        byte[] payload = new byte[100_000];
        // Zeros would be next to nothing on a broker that compresses.
        new Random(1).nextBytes(payload);
        return Collections.nCopies(BACKLOG, new Message("key", payload, START_MILLIS));
    }

    static List<String> texts(List<Message> messages) {
        return messages.stream().map(Message::text).toList();
    }
}
