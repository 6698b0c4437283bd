package dev.millrace.connectors.api.baseline;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Payloads for load tools, which read lines of text. Told a size only, some of them send one payload again and again, and a batch
 * of those compresses to next to nothing.
 */
public final class TextPayloads {
    /** A codec looks back some hundred kilobytes: what is picked at random from more than that hardly ever repeats. */
    private static final int FILE_BYTES = 8 << 20;

    private static final int LEAST_LINES = 100;
    private static final int MOST_LINES = 100_000;
    private static final char FIRST = '!';
    private static final char LAST = '~';

    private TextPayloads() {}

    /**
     * Payloads of random characters, the same ones for the same size.
     *
     * @param bytes of each, 1 or more
     */
    public static List<String> of(int bytes) {
        int count = Math.min(MOST_LINES, Math.max(LEAST_LINES, FILE_BYTES / bytes));
        Random random = new Random(bytes);
        List<String> payloads = new ArrayList<>(count);
        char[] text = new char[bytes];
        for (int payload = 0; payload < count; payload++) {
            for (int i = 0; i < bytes; i++) {
                text[i] = (char) (FIRST + random.nextInt(LAST - FIRST + 1));
            }
            payloads.add(new String(text));
        }
        return payloads;
    }

    /**
     * A line for each of {@link #of}, the last without its end: behind that would be an empty payload. Throws
     * EnvironmentException when the file cannot be written.
     */
    public static Path write(Path file, int bytes) {
        try {
            return Files.writeString(file, String.join("\n", of(bytes)), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
