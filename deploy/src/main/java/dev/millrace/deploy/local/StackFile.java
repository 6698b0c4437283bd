package dev.millrace.deploy.local;

import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a stack is to be, in one file that is replaced in one piece: so it is the old stack or the new one, never half of each.
 *
 * @param build that the run directory keeps
 * @param stateNumber 1, and one more each time the state was dropped
 */
public record StackFile(StackSettings settings, Build build, long stateNumber) {
    private static final String PREFIX = "stack.";
    private static final String JOB_JAR = PREFIX + "job-jar-sha256";
    private static final String PLUGIN = PREFIX + "plugin-sha256";
    private static final String STATE = PREFIX + "state-number";

    public static Optional<StackFile> read(Path file) {
        return PropertiesFile.read(file).map(values -> {
            Map<String, String> settings = new TreeMap<>(values);
            settings.keySet().removeIf(key -> key.startsWith(PREFIX));
            return new StackFile(
                    StackSettings.bind("settings file " + file, Options.of(settings)),
                    new Build(
                            values.getOrDefault(JOB_JAR, Build.UNKNOWN.jobJar()),
                            values.getOrDefault(PLUGIN, Build.UNKNOWN.plugin())),
                    Long.parseLong(values.getOrDefault(STATE, "1")));
        });
    }

    /** Whether it names a broker or a store that is a person's own; also of a file that this build cannot bind. */
    public static boolean namesForeign(Path file) {
        return PropertiesFile.read(file)
                .filter(values -> values.containsKey("address") || values.containsKey("store-url"))
                .isPresent();
    }

    public void write(Path file) {
        PropertiesFile.write(file, toProperties());
    }

    private Map<String, String> toProperties() {
        Map<String, String> values = new TreeMap<>(settings.values().asMap());
        values.put(JOB_JAR, build.jobJar());
        values.put(PLUGIN, build.plugin());
        values.put(STATE, Long.toString(stateNumber));
        return values;
    }

    /** Whether both say the same. */
    public boolean isSame(StackFile other) {
        return toProperties().equals(other.toProperties());
    }

    /**
     * This stack again after {@code failed} was tried: when that dropped the state, what it may have stored is dropped too.
     *
     * @param partitions that the topic has by now
     */
    public StackFile after(StackFile failed, int partitions) {
        return new StackFile(
                settings.with("partitions", Integer.toString(partitions)),
                build,
                failed.stateNumber > stateNumber ? failed.stateNumber + 1 : stateNumber);
    }
}
