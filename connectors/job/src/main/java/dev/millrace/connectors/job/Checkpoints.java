package dev.millrace.connectors.job;

import dev.millrace.core.settings.EnvironmentException;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.util.FileUtils;

/** The checkpoints that an earlier JobManager left in a local directory. */
final class Checkpoints {
    private static final Pattern NUMBER = Pattern.compile("chk-(\\d+)");
    /** What every metadata file of Flink begins with. */
    private static final int MAGIC = 0x4960672d;

    private Checkpoints() {}

    /**
     * The completed checkpoint with the greatest number below {@code directory}: a {@code JOB/chk-N} with a metadata file.
     * Nothing when there is none, or the directory is not a local one.
     *
     * @param directory a path or a {@code file:} URI
     */
    static Optional<Path> latest(String directory) {
        Path root;
        if (directory.isEmpty()) {
            return Optional.empty();
        } else if (directory.startsWith("file:")) {
            root = Path.of(URI.create(directory));
        } else if (directory.contains("://")) {
            return Optional.empty();
        } else {
            root = Path.of(directory);
        }
        if (!Files.isDirectory(root)) {
            return Optional.empty();
        }
        try (Stream<Path> found =
                Files.find(root, 2, (path, attributes) -> attributes.isDirectory() && number(path) >= 0)) {
            return found.filter(Checkpoints::isComplete).max(Comparator.comparingLong(Checkpoints::number));
        } catch (IOException | java.io.UncheckedIOException e) {
            throw new EnvironmentException("cannot look for checkpoints in " + root + ": " + e.getMessage(), e);
        }
    }

    /** Removes the checkpoints beside {@code checkpoint} that have a smaller number. */
    static void dropOlder(Path checkpoint) {
        try (Stream<Path> siblings = Files.list(checkpoint.getParent())) {
            for (Path sibling : siblings.toList()) {
                if (number(sibling) >= 0 && number(sibling) < number(checkpoint)) {
                    FileUtils.deleteDirectory(sibling.toFile());
                }
            }
        } catch (IOException e) {
            throw new EnvironmentException(
                    "cannot remove old checkpoints in " + checkpoint.getParent() + ": " + e.getMessage(), e);
        }
    }

    private static long number(Path folder) {
        Matcher matcher = NUMBER.matcher(folder.getFileName().toString());
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    }

    /** A process that died while it wrote leaves an empty or cut file; a power cut may leave zeros. */
    private static boolean isComplete(Path folder) {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(folder.resolve("_metadata")))) {
            return in.readInt() == MAGIC;
        } catch (IOException e) {
            return false;
        }
    }
}
