package dev.millrace.deploy.local;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the end of log files without reading all of them. */
public final class Logs {
    private static final int BYTES_MAX = 1 << 20;

    private Logs() {}

    /** The last lines, as far as they lie in the last MiB; empty when there is no such file. */
    public static List<String> last(Path log, int lines) {
        if (!Files.isRegularFile(log)) {
            return List.of();
        }
        String text = read(log, Math.max(0, size(log) - BYTES_MAX));
        List<String> all = text.lines().toList();
        return all.subList(Math.max(0, all.size() - lines), all.size());
    }

    /** The file's size in bytes; 0 when it is not there. */
    public static long size(Path log) {
        try {
            return Files.isRegularFile(log) ? Files.size(log) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /** What lies behind {@code offset}, at most a MiB of it. */
    public static String read(Path log, long offset) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            int length = (int) Math.max(0, Math.min(BYTES_MAX, file.length() - offset));
            byte[] bytes = new byte[length];
            file.seek(offset);
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + log + ": " + e.getMessage(), e);
        }
    }
}
