package dev.millrace.perf.result;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A result's JSON in its folder, where everything else of the result is too. */
public final class ResultFile {
    private static final String NAME = "result.json";

    private ResultFile() {}

    /** Replaces what was there, in one piece. */
    public static void write(BenchmarkResult result, Path folder) {
        Path file = folder.resolve(NAME);
        Path draft = folder.resolve(NAME + ".new");
        try {
            Files.writeString(draft, ResultJson.write(result));
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** The file that a person means by a result's folder, or by the file itself. */
    public static Path in(Path named) {
        Path file = Files.isDirectory(named) ? named.resolve(NAME) : named;
        if (!Files.isRegularFile(file)) {
            throw new UserException(
                    "there is no result in " + named + "; name the folder of a benchmark's result, such as"
                            + " .millrace/benchmark/results/SCENARIO-TIME");
        }
        return file;
    }
}
