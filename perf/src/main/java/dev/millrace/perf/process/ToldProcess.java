package dev.millrace.perf.process;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.Logs;
import dev.millrace.deploy.local.PropertiesFile;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that is told what to do by the names of files, line by line on its standard input, and answers each with a file. So it
 * ends with this process, however that ends. Used by one thread; methods throw EnvironmentException, with the end of its log, when it
 * fails or takes too long.
 */
public final class ToldProcess implements AutoCloseable {
    private static final Duration STOP_BOUND = Duration.ofSeconds(20);
    private static final long LOOK_MILLIS = 20;
    private static final int LOG_LINES = 20;

    private final String what;
    private final Path log;
    private final Process process;
    private int orders;

    private ToldProcess(String what, Path log, Process process) {
        this.what = what;
        this.log = log;
        this.process = process;
    }

    /**
     * @param what it is, in sentences: "the drain of variant 'raw'"
     * @param log in its own folder, which is there and in which it runs
     */
    public static ToldProcess start(String what, List<String> command, Path log) {
        try {
            return new ToldProcess(
                    what,
                    log,
                    new ProcessBuilder(command)
                            .directory(log.getParent().toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start());
        } catch (IOException e) {
            throw new EnvironmentException(
                    "cannot start " + what + " in " + log.getParent() + ": " + e.getMessage(), e);
        }
    }

    /** Of a process whose main class is one of the rig's: the rig, a jar or a folder of classes, and what commands are made of. */
    public static String classPath(Installation installation) {
        try {
            Path rig = Path.of(ToldProcess.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return rig + ":" + installation.classPath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** What it says. */
    public Path log() {
        return log;
    }

    /** As {@link #tell}, of a process that lives by {@link Orders}; both files are beside its log. */
    public Map<String, String> ask(String name, Map<String, String> order, Duration bound) {
        Map<String, String> all = new TreeMap<>(order);
        all.put(Orders.NAME, name);
        Path file = log.resolveSibling("order-" + ++orders + "-" + name + ".properties");
        PropertiesFile.write(file, all);
        Path answer = Orders.answer(file);
        tell(file, answer, bound);
        return PropertiesFile.read(answer).orElseThrow();
    }

    /** Hands over the order and returns when the answer is there. */
    public void tell(Path order, Path answer, Duration bound) {
        try {
            OutputStream in = process.getOutputStream();
            in.write((order + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
            long deadline = System.nanoTime() + bound.toNanos();
            while (!Files.exists(answer)) {
                if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                    throw failed(
                            process.isAlive()
                                    ? "had not done " + order.getFileName() + " after " + bound.toSeconds() + " s"
                                    : "failed",
                            null);
                }
            }
        } catch (IOException e) {
            throw failed("had ended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("was interrupted", e);
        }
    }

    private EnvironmentException failed(String how, @Nullable Exception cause) {
        return new EnvironmentException(
                what + " " + how + "; the end of " + log + ":\n" + String.join("\n", Logs.last(log, LOG_LINES)), cause);
    }

    /** Ends it at once. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(STOP_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
