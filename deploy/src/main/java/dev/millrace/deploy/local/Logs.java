package dev.millrace.deploy.local;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
        List<String> all =
                text(read(log, Math.max(0, size(log) - BYTES_MAX))).lines().toList();
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

    /**
     * Lines of a file that grows.
     *
     * @param end offset in the file behind the last of them, bytes
     */
    public record Added(List<String> lines, long end) {}

    /** The whole lines behind {@code offset}, at most a MiB of them; of a longer line what fits. */
    public static Added added(Path log, long offset) {
        byte[] bytes = read(log, offset);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        if (end == 0 && bytes.length == BYTES_MAX) {
            end = bytes.length;
        }
        // Bytes are counted, not characters: what is no text is shown as one and may be three.
        return new Added(text(Arrays.copyOf(bytes, end)).lines().toList(), offset + end);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] read(Path log, long offset) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            int length = (int) Math.max(0, Math.min(BYTES_MAX, file.length() - offset));
            byte[] bytes = new byte[length];
            file.seek(offset);
            file.readFully(bytes);
            return bytes;
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + log + ": " + e.getMessage(), e);
        }
    }
}
