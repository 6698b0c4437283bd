package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was read against what was sent, where that is too much to be printed. */
final class Deliveries {
    private static final int SHOWN = 20;

    private Deliveries() {}

    /** Each payload once, and those of one key in the order in which they were sent. */
    static void exactlyOnceInOrder(List<Stored> read, List<Message> sent) {
        Set<String> seen = new HashSet<>();
        List<String> doubled = new ArrayList<>();
        Map<String, List<String>> readOfKeys = new HashMap<>();
        for (String text : Stored.texts(read)) {
            if (!seen.add(text)) {
                doubled.add(text);
            }
            readOfKeys
                    .computeIfAbsent(text.substring(0, text.indexOf('/')), key -> new ArrayList<>())
                    .add(text);
        }
        List<String> lost = new ArrayList<>();
        Map<String, List<String>> sentOfKeys = new HashMap<>();
        for (Message message : sent) {
            if (!seen.contains(message.text())) {
                lost.add(message.text());
            }
            sentOfKeys.computeIfAbsent(message.key(), key -> new ArrayList<>()).add(message.text());
        }
        assertThat(lost.stream().limit(SHOWN)).as("%d lost", lost.size()).isEmpty();
        assertThat(doubled.stream().limit(SHOWN))
                .as("%d doubled", doubled.size())
                .isEmpty();
        assertThat(readOfKeys.keySet()).isEqualTo(sentOfKeys.keySet());
        sentOfKeys.forEach((key, texts) -> {
            List<String> got = readOfKeys.get(key);
            for (int i = 0; i < texts.size(); i++) {
                assertThat(got.get(i)).as("%s, place %d", key, i).isEqualTo(texts.get(i));
            }
            assertThat(got).hasSameSizeAs(texts);
        });
    }
}
