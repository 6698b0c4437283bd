package dev.millrace.connectors.job;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.LocalFolder;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What earlier JobManagers left in local directories to go on from: checkpoints, and the savepoints of a person. */
final class Checkpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final Pattern NUMBER = Pattern.compile("chk-(\\d+)");
    /** What every metadata file of Flink begins with; its version and the checkpoint's number follow. */
    private static final int MAGIC = 0x4960672d;

    private Checkpoints() {}

    /**
     * A completed checkpoint or savepoint: both are numbered by one counter.
     *
     * @param savepoint a person's: Flink must not remove it
     */
    record Snapshot(Path folder, long number, boolean savepoint) {}

    /**
     * The completed one with the greatest number: a {@code JOB/chk-N} below {@code checkpoints}, or a savepoint that is newer
     * than every checkpoint. A savepoint alone is none: the checkpoints that came after it are gone, with them how far the
     * job had come, and windows that are stored already would be stored again. Nothing when there is none, or the directory
     * is not a local one.
     *
     * @param checkpoints a path, with or without {@code file:}
     * @param savepoints the same; empty when savepoints do not count
     */
    static Optional<Snapshot> latest(String checkpoints, String savepoints) {
        Optional<Snapshot> checkpoint = folders(checkpoints, 2, folder -> nameNumber(folder) >= 0, false);
        return checkpoint.map(newest -> folders(savepoints, 1, folder -> true, true)
                .filter(savepoint -> savepoint.number() > newest.number())
                .orElse(newest));
    }

    private static Optional<Snapshot> folders(String directory, int depth, Predicate<Path> counts, boolean savepoint) {
        Optional<Path> root = LocalFolder.of(directory).filter(Files::isDirectory);
        if (root.isEmpty()) {
            return Optional.empty();
        }
        // Links are followed: the folder may be one, to where it outlives a pod.
        try (Stream<Path> found = Files.find(
                root.get(),
                depth,
                (path, attributes) -> attributes.isDirectory() && counts.test(path),
                FileVisitOption.FOLLOW_LINKS)) {
            return found.map(folder -> new Snapshot(folder, number(folder), savepoint))
                    .filter(snapshot -> snapshot.number() >= 0)
                    .max(Comparator.comparingLong(Snapshot::number));
        } catch (IOException | java.io.UncheckedIOException e) {
            throw new EnvironmentException("cannot look for checkpoints in " + root.get() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Has the older ones removed as soon as a later one beside {@code checkpoint} is complete, by a thread of its own: the metadata may
     * be whole after a power cut and what they name may not, and then a person removes that one and goes on from the one before.
     *
     * @param every so often it is looked at
     */
    static void dropOlderOnceGoneOn(Path checkpoint, Duration every) {
        ScheduledExecutorService looker = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "older-checkpoints");
            thread.setDaemon(true);
            return thread;
        });
        Runnable look = () -> {
            try {
                if (dropOlderIfGoneOn(checkpoint)) {
                    looker.shutdown();
                }
            } catch (RuntimeException e) {
                // Thrown on, it would end the looks without a word.
                LOG.warn("Older checkpoints stay for now; the next look tries again", e);
            }
        };
        looker.scheduleWithFixedDelay(look, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether a later one is there, and the older ones are gone. */
    static boolean dropOlderIfGoneOn(Path checkpoint) {
        boolean goneOn = latest(checkpoint.getParent().getParent().toString(), "")
                .filter(newest -> newest.number() > nameNumber(checkpoint))
                .isPresent();
        if (goneOn) {
            dropOlder(checkpoint);
        }
        return goneOn;
    }

    /** Removes the checkpoints beside {@code checkpoint} that have a smaller number. */
    static void dropOlder(Path checkpoint) {
        try (Stream<Path> siblings = Files.list(checkpoint.getParent())) {
            for (Path sibling : siblings.toList()) {
                if (nameNumber(sibling) >= 0 && nameNumber(sibling) < nameNumber(checkpoint)) {
                    FileUtils.deleteDirectory(sibling.toFile());
                }
            }
        } catch (IOException e) {
            throw new EnvironmentException(
                    "cannot remove old checkpoints in " + checkpoint.getParent() + ": " + e.getMessage(), e);
        }
    }

    private static long nameNumber(Path folder) {
        Matcher matcher = NUMBER.matcher(folder.getFileName().toString());
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    }

    /**
     * The number in the metadata, -1 without complete ones: a process that died while it wrote leaves an empty or cut file; a
     * power cut may leave zeros.
     */
    private static long number(Path folder) {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(folder.resolve("_metadata")))) {
            if (in.readInt() != MAGIC) {
                return -1;
            }
            in.readInt();
            return in.readLong();
        } catch (IOException e) {
            return -1;
        }
    }
}
