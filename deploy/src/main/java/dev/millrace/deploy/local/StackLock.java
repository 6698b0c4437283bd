package dev.millrace.deploy.local;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** One {@code up} or {@code down} at a time on a run directory; goes with the process that holds it. */
final class StackLock implements AutoCloseable {
    private final FileChannel channel;

    private StackLock(FileChannel channel) {
        this.channel = channel;
    }

    static StackLock take(RunDirectory directory) {
        Path file = file(directory);
        FileChannel channel = null;
        try {
            Files.createDirectories(directory.path());
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new StackLock(channel);
            }
            channel.close();
        } catch (OverlappingFileLockException e) {
            close(channel);
        } catch (IOException e) {
            throw new EnvironmentException("cannot lock " + file + ": " + e.getMessage(), e);
        }
        throw new UserException(
                "another millrace up or down is at work on " + directory.path() + "; wait for it to end");
    }

    static Path file(RunDirectory directory) {
        return directory.path().resolve("lock");
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new EnvironmentException("cannot close a lock file: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        close(channel);
    }
}
