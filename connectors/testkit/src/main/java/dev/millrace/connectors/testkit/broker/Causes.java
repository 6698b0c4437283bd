package dev.millrace.connectors.testkit.broker;

import java.util.ArrayList;
import java.util.List;

/** What a failure says, from the outside in. */
final class Causes {
    private Causes() {}

    static List<String> sentences(Throwable failure) {
        List<String> sentences = new ArrayList<>();
        for (Throwable t = failure; t != null && sentences.size() < 20; t = t.getCause()) {
            sentences.add(String.valueOf(t.getMessage()));
        }
        return sentences;
    }
}
