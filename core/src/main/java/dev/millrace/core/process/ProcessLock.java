package dev.millrace.core.process;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What one holder at a time has, of all processes of a machine and within each of them: the lock of a file, which stays behind
 * empty. It ends with its process, however that ends.
 */
public final class ProcessLock implements AutoCloseable {
    /** Of this process: it must not open such a file a second time, since closing any channel of a file gives its lock away. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private static final int ATTEMPTS = 10;

    private final Path file;
    private final FileChannel channel;

    private ProcessLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Takes it; this does not wait.
     *
     * @param file is made when it is not there, with its folder
     * @param refusal the sentence of the UserException that is thrown when another holds it
     */
    public static ProcessLock take(Path file, String refusal) {
        try {
            return take(file).orElseThrow(() -> new UserException(refusal));
        } catch (IOException e) {
            throw new EnvironmentException("cannot lock " + file + ": " + e, e);
        }
    }

    private static Optional<ProcessLock> take(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path real = folder.toRealPath().resolve(file.getFileName());
        if (!HELD.add(real)) {
            return Optional.empty();
        }
        FileChannel locked = null;
        try {
            locked = locked(real);
            return Optional.ofNullable(locked).map(channel -> new ProcessLock(real, channel));
        } finally {
            if (locked == null) {
                HELD.remove(real);
            }
        }
    }

    /**
     * Null when another has it. Who had it may delete the file before it lets go: a lock on what is no longer there keeps out nobody who
     * comes later, so it is taken anew.
     */
    private static @Nullable FileChannel locked(Path file) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Object before = key(file);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            boolean taken = false;
            try {
                if (channel.tryLock() == null) {
                    return null;
                }
                taken = before.equals(key(file));
                if (taken) {
                    return channel;
                }
            } finally {
                if (!taken) {
                    channel.close();
                }
            }
        }
        throw new IOException("it was deleted again and again while it was taken");
    }

    /** Which file stands there now, empty where there is none or the system does not say. */
    private static Object key(Path file) throws IOException {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(file, BasicFileAttributes.class).fileKey());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Lets it go; once more does nothing. */
    @Override
    public synchronized void close() {
        if (!channel.isOpen()) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            throw new EnvironmentException("cannot close " + file + ": " + e, e);
        } finally {
            HELD.remove(file);
        }
    }
}
