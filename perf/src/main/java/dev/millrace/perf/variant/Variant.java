package dev.millrace.perf.variant;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.Values;
import dev.millrace.perf.round.RoundOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

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

    /** The variants that {@code --variants} names; what is wrong there goes to {@code problems}, with those there are. */
    public static List<Variant> of(List<String> named, List<String> problems) {
        List<String> words = Arrays.stream(values()).map(Variant::word).toList();
        named.stream()
                .filter(word -> !words.contains(word))
                .forEach(word -> problems.add("--variants has '" + word + "'"
                        + Suggestion.didYouMean(word, words)
                        + "; there are: " + String.join(", ", words)));
        RoundOptions.once("--variants", named, problems);
        return named.stream()
                .filter(words::contains)
                .map(word -> valueOf(word.toUpperCase(Locale.ROOT)))
                .toList();
    }

    /**
     * A problem for each setting that makes another job of ours than the baselines, and the loop without Flink, do: what they are compared by
     * would not be the same work.
     *
     * @param variants those that are compared; empty: all
     * @param up what {@code up} is given, with the window
     */
    public static void refuseOtherWork(List<Variant> variants, Map<String, String> up, List<String> problems) {
        List<Variant> compared = variants.isEmpty() ? List.of(values()) : variants;
        List<String> baselines = words(compared, variant -> variant != RAW && variant != OURS);
        refuse("job", !up.getOrDefault("job", "windows").equals("windows"), baselines, up, problems);
        refuse("slide", slides(up), baselines, up, problems);
        List<String> onHeap = words(compared, variant -> variant == PLAIN || variant == STOCK);
        refuse("state-backend", up.getOrDefault("state-backend", "heap").equals("rocksdb"), onHeap, up, problems);
        List<String> storing = words(compared, variant -> variant != RAW);
        refuse("store", !up.getOrDefault("store", "duckdb").equals("duckdb"), storing, up, problems);
        refuse("results", up.getOrDefault("results", "none").equals("topic"), storing, up, problems);
    }

    private static List<String> words(List<Variant> variants, Predicate<Variant> which) {
        return variants.stream().filter(which).map(Variant::word).toList();
    }

    private static void refuse(
            String key, boolean isOther, List<String> unable, Map<String, String> up, List<String> problems) {
        if (isOther && !unable.isEmpty()) {
            problems.add("--up " + key + "=" + up.get(key) + " is not what these variants do: "
                    + String.join(", ", unable) + "; name the others with --variants");
        }
    }

    private static boolean slides(Map<String, String> up) {
        try {
            return up.containsKey("slide")
                    && !Values.duration(up.get("slide")).equals(Values.duration(up.get("window")));
        } catch (IllegalArgumentException e) {
            // What is wrong with it up says itself.
            return false;
        }
    }
}
