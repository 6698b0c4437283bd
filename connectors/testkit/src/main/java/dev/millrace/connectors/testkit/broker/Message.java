package dev.millrace.connectors.testkit.broker;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One payload to be published. */
record Message(String key, byte[] payload, long eventTimeMillis) {
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

    static List<String> texts(List<Message> messages) {
        return messages.stream().map(Message::text).toList();
    }
}
