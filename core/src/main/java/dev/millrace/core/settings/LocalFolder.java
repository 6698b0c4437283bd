package dev.millrace.core.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A folder of this machine as Flink names it: {@code file:} and the path as it is. Not {@link Path#toUri}: Flink's {@code
 * Path(String)} takes {@code %20} for three characters of a name, so with a blank in the path it would be another folder.
 */
public final class LocalFolder {
    private static final String SCHEME = "file:";

    private LocalFolder() {}

    /** What to tell Flink. */
    public static String location(Path folder) {
        return SCHEME + "//" + folder.toAbsolutePath();
    }

    /**
     * The folder that Flink writes to when told so; empty when it is not one of this machine.
     *
     * @param location a path, with or without {@code file:}
     */
    public static Optional<Path> of(String location) {
        if (location.startsWith(SCHEME + "///")) {
            return Optional.of(Path.of(location.substring(SCHEME.length() + 2)));
        }
        if (location.startsWith(SCHEME + "/")) {
            return Optional.of(Path.of(location.substring(SCHEME.length())));
        }
        return location.isEmpty() || location.contains("://") ? Optional.empty() : Optional.of(Path.of(location));
    }
}
