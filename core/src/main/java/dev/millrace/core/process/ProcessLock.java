package dev.millrace.core.process;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What one holder at a time has, of all processes of a machine and within each of them: the lock of a file, which stays behind
 * empty. It ends with its process, however that ends.
 */
public final class ProcessLock implements AutoCloseable {
    /** Of this process: it must not open such a file a second time, since closing any channel of a file gives its lock away. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

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
        boolean taken = false;
        FileChannel channel = null;
        try {
            channel = FileChannel.open(real, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            taken = channel.tryLock() != null;
            return taken ? Optional.of(new ProcessLock(real, channel)) : Optional.empty();
        } finally {
            if (!taken) {
                if (channel != null) {
                    channel.close();
                }
                HELD.remove(real);
            }
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
