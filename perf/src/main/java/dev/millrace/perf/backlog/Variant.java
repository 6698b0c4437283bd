package dev.millrace.perf.backlog;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What drains; the processes themselves are {@code perf/baselines}. In the order that tables show them. */
enum Variant {
    RAW("the client's loop, counted and dropped"),
    PLAIN("our reader, decoder and table without Flink and store"),
    STOCK("a straightforward job on the official connector"),
    PUBLISHED("a job as the published platform writes it, on RocksDB"),
    OURS("the product's job");

    private final String meaning;

    Variant(String meaning) {
        this.meaning = meaning;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String meaning() {
        return meaning;
    }

    /** Whether there are windows to audit. */
    boolean makesRows() {
        return this != RAW;
    }

    static Variant of(String word) {
        List<String> words = Arrays.stream(values()).map(Variant::word).toList();
        if (!words.contains(word)) {
            throw new UserException("--variants has '" + word + "'"
                    + Suggestion.nearest(word, words)
                            .map(near -> "; did you mean '" + near + "'?")
                            .orElse("")
                    + "; there are: " + String.join(", ", words));
        }
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
