package dev.millrace.connectors.api.baseline;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * A file of payloads for load tools, which read lines of text. Told a size only, some of them send one payload again and again,
 * and a batch of those compresses to next to nothing.
 */
public final class TextPayloads {
    /** A codec looks back some hundred kilobytes: what is picked at random from more than that hardly ever repeats. */
    private static final int FILE_BYTES = 8 << 20;

    private static final int LEAST_LINES = 100;
    private static final int MOST_LINES = 100_000;
    private static final char FIRST = '!';
    private static final char LAST = '~';

    private TextPayloads() {}

    /** How many payloads of {@code bytes}, 1 or more, a file has. */
    public static int count(int bytes) {
        return Math.min(MOST_LINES, Math.max(LEAST_LINES, FILE_BYTES / bytes));
    }

    /**
     * Lines of {@code bytes} random characters, the same ones for the same size; throws EnvironmentException when the file cannot
     * be written.
     *
     * @param bytes of each, without its line's end; 1 or more
     */
    public static Path write(Path file, int bytes) {
        int lines = count(bytes);
        Random random = new Random(bytes);
        StringBuilder text = new StringBuilder(lines * (bytes + 1));
        for (int line = 0; line < lines; line++) {
            for (int i = 0; i < bytes; i++) {
                text.append((char) (FIRST + random.nextInt(LAST - FIRST + 1)));
            }
            // Between them only: what is behind the last would be an empty payload.
            if (line < lines - 1) {
                text.append('\n');
            }
        }
        try {
            return Files.writeString(file, text, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
