package dev.millrace.connectors.testkit.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * The Python that has ClickHouse's engine as a library. It is made once for a person, in {@code ~/.cache/millrace}, by
 * Python's own installer (565 MB on disk), and stays for all clones and later runs.
 */
final class EnginePython {
    private static final String ENGINE = "chdb-core==26.9.0";
    private static final String LZ4 = "lz4==4.4.5";
    private static final Path HOME =
            Path.of(System.getProperty("user.home"), ".cache", "millrace", "clickhouse-engine-26.9.0");
    private static final long INSTALL_BOUND_MINUTES = 10;

    private EnginePython() {}

    /**
     * The interpreter's path. Where it cannot be made the test is skipped with the reason, but fails where the environment variable
     * {@code CI} is set.
     */
    static synchronized Path interpreter() {
        Path interpreter = HOME.resolve("venv/bin/python");
        try {
            Files.createDirectories(HOME);
            try (FileChannel channel = FileChannel.open(
                            HOME.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                Path done = HOME.resolve("installed");
                if (!Files.exists(done)) {
                    run("python3", "-m", "venv", "--clear", HOME.resolve("venv").toString());
                    run(interpreter.toString(), "-m", "pip", "install", "--quiet", "--no-deps", ENGINE, LZ4);
                    Files.writeString(done, lock.isValid() ? ENGINE : "");
                }
            }
            return interpreter;
        } catch (IOException e) {
            String reason = "ClickHouse's engine cannot be had here: " + e.getMessage()
                    + " (it takes python3 with venv, and pip's package index)";
            if (System.getenv("CI") != null) {
                throw new AssertionError(reason, e);
            }
            System.out.println("SKIPPED: " + reason);
            Assumptions.abort(reason);
            throw new AssertionError("aborted");
        }
    }

    private static void run(String... command) throws IOException {
        Path output = Files.createTempFile(HOME, "install", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(INSTALL_BOUND_MINUTES, TimeUnit.MINUTES)) {
                throw new IOException(
                        String.join(" ", command) + " took longer than " + INSTALL_BOUND_MINUTES + " min");
            }
            if (process.exitValue() != 0) {
                List<String> lines = Files.readAllLines(output);
                throw new IOException(String.join(" ", command) + " ended with " + process.exitValue() + ": "
                        + String.join(" | ", lines.subList(Math.max(0, lines.size() - 3), lines.size())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while installing", e);
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(output);
        }
    }
}
