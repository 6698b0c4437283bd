package dev.millrace.perf.variant;

import dev.millrace.core.settings.LocalFolder;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The settings of a variant's job beside a stack: it reads the stack's topic, as another reader group, and computes the same. */
public final class VariantSettings {
    /** What decides what the job computes and how; the stack's own are taken over. */
    private static final List<String> AS_THE_STACK = List.of(
            "job",
            "window",
            "slide",
            "out-of-orderness",
            "idle-after",
            "parallelism",
            "checkpoint-interval",
            "pre-aggregation-memory");

    private VariantSettings() {}

    /**
     * By key; stores and where to stop are for the caller to add.
     *
     * @param round names the reader group
     * @param folder of checkpoints and state, and of {@code drain.result}: what the process answers
     */
    public static Map<String, String> of(
            StackSettings settings, StackState state, Variant variant, int round, Path folder) {
        Map<String, String> values = new TreeMap<>();
        AS_THE_STACK.forEach(key -> settings.values().get(key).ifPresent(value -> values.put(key, value)));
        values.put("max-ahead", "0s");
        values.put("broker", settings.broker());
        state.brokerOptions().asMap().forEach((key, value) -> values.put("broker." + key, value));
        values.put("topic", settings.topic());
        values.put("reader-group", settings.readerGroup() + "-" + variant.word() + "-" + round);
        values.put("checkpoint-directory", LocalFolder.location(folder.resolve("checkpoints")));
        boolean isOnDisk = variant == Variant.OURS
                && settings.values()
                        .get("state-backend")
                        .filter("rocksdb"::equals)
                        .isPresent();
        if (isOnDisk || variant == Variant.PUBLISHED) {
            values.put("state-backend", "rocksdb");
            values.put("state-directory", folder.resolve("rocksdb").toString());
        }
        values.put("drain.variant", variant.word());
        values.put("drain.result", result(folder).toString());
        return values;
    }

    /** Where the process answers. */
    public static Path result(Path folder) {
        return folder.resolve("drain.json");
    }

    /** Writes them into {@code folder}; returns the file. */
    public static Path write(Path folder, Map<String, String> values) {
        Path file = folder.resolve("drain.properties");
        PropertiesFile.write(file, values);
        return file;
    }
}
