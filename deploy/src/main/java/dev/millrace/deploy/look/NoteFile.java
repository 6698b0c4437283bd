package dev.millrace.deploy.look;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.PropertiesFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Small files in a run directory that one process leaves for whoever looks at the stack. They are a courtesy: one that cannot be
 * written, or makes no sense, is not shown and stops nobody.
 */
final class NoteFile {
    private static final Logger LOG = LoggerFactory.getLogger(NoteFile.class);
    /** More is none of ours, and is not read into memory at every look. */
    private static final long MOST_BYTES = 64 << 10;

    private NoteFile() {}

    /** Replaces the file in one piece; does nothing when its folder is gone. */
    static void write(Path file, Map<String, String> values) {
        // A stack that somebody has taken down meanwhile must not leave a folder behind.
        if (!Files.isDirectory(file.getParent())) {
            return;
        }
        try {
            PropertiesFile.write(file, values);
        } catch (EnvironmentException e) {
            LOG.warn("who looks at the stack is not told: {}", e.getMessage());
        }
    }

    /** What {@code note} makes of the file; empty when it is not there, or {@code note} throws. */
    static <T> Optional<T> read(Path file, Function<Map<String, String>, T> note) {
        try {
            return Files.size(file) > MOST_BYTES
                    ? Optional.empty()
                    : PropertiesFile.read(file).map(note);
        } catch (IOException | RuntimeException e) {
            // Not there, half of one after a crash, or of another version.
            LOG.debug("no note in {}", file, e);
            return Optional.empty();
        }
    }
}
