package dev.millrace.perf;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/** Where benchmarks keep what they found. */
public final class Results {
    private Results() {}

    /** Writes a result into {@code RUN-DIR/results}; returns the file. */
    public static Path keep(Path runDir, String benchmark, String json) {
        String when = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now());
        Path file = runDir.resolve("results").resolve(benchmark + "-" + when + ".json");
        try {
            Files.createDirectories(file.getParent());
            return Files.writeString(file, json);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
