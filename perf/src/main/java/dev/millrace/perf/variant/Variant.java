package dev.millrace.perf.variant;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What drains; the processes themselves are {@code perf/baselines}. In the order that tables show them. */
public enum Variant {
    /** The client's loop, counted and dropped. */
    RAW,
    /** Our reader, decoder and table without Flink and store. */
    PLAIN,
    /** A straightforward job on the official connector. */
    STOCK,
    /** A job as the published platform writes it, on RocksDB. */
    PUBLISHED,
    /** The product's job. */
    OURS;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is a Flink job, which goes on for as long as readings come. */
    public boolean isJob() {
        return this != RAW && this != PLAIN;
    }

    /** Whether there are windows to audit. */
    public boolean makesRows() {
        return this != RAW;
    }

    /** The variant of that name; a wrong one is a UserException that lists those there are. */
    public static Variant of(String word) {
        List<String> words = Arrays.stream(values()).map(Variant::word).toList();
        if (!words.contains(word)) {
            throw new UserException("--variants has '" + word + "'"
                    + Suggestion.didYouMean(word, words)
                    + "; there are: " + String.join(", ", words));
        }
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
