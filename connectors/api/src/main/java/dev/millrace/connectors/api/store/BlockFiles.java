package dev.millrace.connectors.api.store;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks that wait for their checkpoint in files beside the checkpoints, because all rows of a closing window together may be more
 * than the heap holds. A file stays until its block was inserted; then an empty one with the same name and {@code .done} takes its
 * place, so that a job which goes back to the checkpoint before knows that nothing is left to do. Not thread-safe.
 *
 * <p>A job that dies leaves files that belong to no checkpoint. {@link #sweep} removes what is old: blocks of a checkpoint that is
 * restored are inserted before anything else, and others wait for minutes at most.
 */
final class BlockFiles {
    private static final Logger LOG = LoggerFactory.getLogger(BlockFiles.class);
    private static final String DONE = ".done";

    private final Path directory;

    /** @param directory a URI that every TaskManager can write; made when it is missing */
    BlockFiles(String directory) {
        this.directory = new Path(directory);
    }

    /** Writes a block's bytes; returns the file's path. */
    String write(String token, byte[] bytes) {
        Path file = new Path(directory, token);
        try {
            FileSystem files = file.getFileSystem();
            files.mkdirs(directory);
            try (FSDataOutputStream out = files.create(file, FileSystem.WriteMode.NO_OVERWRITE)) {
                out.write(bytes);
            }
            return file.toString();
        } catch (IOException e) {
            // What was written of it takes room on a disk that may be full.
            delete(file.toString());
            throw new EnvironmentException("cannot keep rows in " + file + ": " + e.getMessage(), e);
        }
    }

    /** Removes a file that no checkpoint names, as far as that can be done now; {@link #sweep} finds what is left. */
    static void delete(String path) {
        Path file = new Path(path);
        try {
            file.getFileSystem().delete(file, false);
        } catch (IOException | RuntimeException e) {
            // Whoever cannot keep rows has something to say that matters more.
            LOG.warn("{} is not removed yet: {}", file, e.toString());
        }
    }

    /** The bytes; nothing when the block was inserted before. */
    static Optional<byte[]> read(String path) {
        Path file = new Path(path);
        try {
            FileSystem files = file.getFileSystem();
            if (files.exists(file.suffix(DONE))) {
                return Optional.empty();
            }
            byte[] bytes = new byte[(int) files.getFileStatus(file).getLen()];
            try (FSDataInputStream in = files.open(file)) {
                if (in.readNBytes(bytes, 0, bytes.length) != bytes.length) {
                    throw new IOException("it ended too early");
                }
            }
            return Optional.of(bytes);
        } catch (IOException e) {
            throw new EnvironmentException(
                    "rows of a checkpoint are in " + file + ", which cannot be read: " + e.getMessage(), e);
        }
    }

    /** Says that the block was inserted. */
    static void done(String path) {
        Path file = new Path(path);
        try {
            FileSystem files = file.getFileSystem();
            files.create(file.suffix(DONE), FileSystem.WriteMode.OVERWRITE).close();
            files.delete(file, false);
        } catch (IOException e) {
            throw new EnvironmentException("cannot replace " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Removes files that are older, as far as that can be done now.
     *
     * @param isOver asked before each file; nothing more is removed then
     */
    void sweep(Duration age, BooleanSupplier isOver) {
        long before = System.currentTimeMillis() - age.toMillis();
        try {
            FileSystem files = directory.getFileSystem();
            if (!files.exists(directory)) {
                return;
            }
            for (FileStatus file : files.listStatus(directory)) {
                if (isOver.getAsBoolean()) {
                    return;
                }
                if (file.getModificationTime() < before) {
                    files.delete(file.getPath(), false);
                }
            }
        } catch (IOException | RuntimeException e) {
            // A file that was listed may be replaced by another subtask before it is looked at. What is left is for the
            // next time.
            LOG.warn("{} is not cleared up this time: {}", directory, e.toString());
        }
    }
}
