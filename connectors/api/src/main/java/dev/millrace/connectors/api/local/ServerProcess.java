package dev.millrace.connectors.api.local;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One child process that may outlive the process that started it: its output goes to a file, and its pid file ({@code PID
 * START FOLDER}) lets a later process take it over without mistaking a stranger with the same pid for it, or a copy of the folder for
 * the one that it writes to. Thread-safe.
 */
public final class ServerProcess {
    private static final Duration STOP_BOUND = Duration.ofSeconds(20);
    /** What Java gives as the exit code of a process that a signal ended, less the signal. */
    private static final int OF_SIGNALS = 128;

    private static final int SIGKILL = 9;
    private static final int LAST_SIGNAL = 31;
    private static final Duration CODE_BOUND = Duration.ofSeconds(2);
    private static final Duration SIGNAL_BOUND = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofMillis(10);

    private final String name;
    private final ProcessHandle handle;
    private final Path log;
    private final Path pidFile;
    private final @Nullable Process child;
    private volatile boolean endedHere;

    ServerProcess(String name, ProcessHandle handle, Path log, Path pidFile, @Nullable Process child) {
        this.child = child;
        this.name = name;
        this.handle = handle;
        this.log = log;
        this.pidFile = pidFile;
    }

    /**
     * Starts a process in {@code directory}; output is appended to {@code directory/NAME.log}, the pid goes to {@code
     * directory/NAME.pid}. Who dies while starting it, at whatever moment, leaves no process without its pid file.
     *
     * @param environment added to this process's environment
     */
    public static ServerProcess start(
            String name, Path directory, List<String> command, Map<String, String> environment) {
        Process child = null;
        try {
            Files.createDirectories(directory);
            Path log = directory.resolve(name + ".log");
            ProcessBuilder builder = new ProcessBuilder(waiting(name, command))
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            child = builder.start();
            ProcessHandle handle = child.toHandle();
            Path pidFile = directory.resolve(name + ".pid");
            Path draft = directory.resolve(name + ".pid.new");
            Files.writeString(
                    draft, handle.pid() + " " + ProcessStart.of(handle) + " " + directory.toRealPath() + "\n");
            Files.move(draft, pidFile, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            begin(child);
            return new ServerProcess(name, handle, log, pidFile, child);
        } catch (IOException e) {
            if (child != null) {
                // Without its pid file nobody would ever find it again.
                child.destroyForcibly();
            }
            throw new EnvironmentException("cannot start " + name + " in " + directory + ": " + e.getMessage(), e);
        }
    }

    /**
     * A shell that becomes the command (same pid, same start) when it is told to begin, and ends when who would tell it is gone: an
     * end of file is no line.
     */
    static List<String> waiting(String name, List<String> command) {
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", "read -r begin && exec \"$@\" < /dev/null", name));
        all.addAll(command);
        return all;
    }

    private static void begin(Process child) throws IOException {
        try (OutputStream input = child.getOutputStream()) {
            input.write('\n');
        }
    }

    /** The process that an earlier one started in {@code directory} under that name, if it is still the same and alive. */
    public static Optional<ServerProcess> running(String name, Path directory) {
        Path pidFile = directory.resolve(name + ".pid");
        return alive(pidFile)
                .filter(handle -> original(pidFile).isEmpty())
                .map(handle -> new ServerProcess(name, handle, directory.resolve(name + ".log"), pidFile, null));
    }

    /**
     * The folder of which {@code directory} is a copy, when a process of that name is alive and belongs there; empty otherwise, and where
     * the folder was moved.
     */
    public static Optional<Path> copiedFrom(String name, Path directory) {
        Path pidFile = directory.resolve(name + ".pid");
        return alive(pidFile).flatMap(handle -> original(pidFile));
    }

    private static Optional<ProcessHandle> alive(Path pidFile) {
        try {
            String[] parts = parts(pidFile);
            return ProcessHandle.of(Long.parseLong(parts[0]))
                    .filter(ServerProcess::isAlive)
                    .filter(handle -> ProcessStart.is(handle, parts[1]));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Where a process was started whose pid file is still there, too; a release before this one wrote no folder. */
    private static Optional<Path> original(Path pidFile) {
        try {
            String[] parts = parts(pidFile);
            if (parts.length < 3) {
                return Optional.empty();
            }
            Path folder = Path.of(parts[2]);
            boolean isThere = Arrays.equals(parts, parts(folder.resolve(pidFile.getFileName())));
            return isThere && !Files.isSameFile(folder, pidFile.toAbsolutePath().getParent())
                    ? Optional.of(folder)
                    : Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static String[] parts(Path pidFile) throws IOException {
        return Files.readString(pidFile).trim().split(" ", 3);
    }

    public String name() {
        return name;
    }

    public long pid() {
        return handle.pid();
    }

    public boolean isAlive() {
        return isAlive(handle);
    }

    /** Java calls a process alive that has ended and whose parent does not ask for its exit code, as in many containers. */
    public static boolean isAlive(ProcessHandle handle) {
        // In this order: one that is defunct first and gone before the second look would be called alive by the other.
        return !ProcessStart.isDefunct(handle) && handle.isAlive();
    }

    public Path log() {
        return log;
    }

    public ProcessHandle handle() {
        return handle;
    }

    /** How it ended; empty while it is alive, and when an earlier process had started it. */
    public OptionalInt exitCode() {
        if (child == null || isAlive()) {
            return OptionalInt.empty();
        }
        try {
            // It may be seen ended before Java has asked for its code, which it does at once.
            return child.waitFor(CODE_BOUND.toMillis(), TimeUnit.MILLISECONDS)
                    ? OptionalInt.of(child.exitValue())
                    : OptionalInt.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }

    /** How it ended by itself, to go behind "ended"; empty where {@link #exitCode} is, and where this ended it. */
    public Optional<String> ending() {
        OptionalInt code = endedHere ? OptionalInt.empty() : exitCode();
        if (code.isEmpty()) {
            return Optional.empty();
        }
        int signal = code.getAsInt() - OF_SIGNALS;
        if (signal == SIGKILL) {
            return Optional.of("by signal 9, as the kernel ends processes when memory is short");
        }
        return Optional.of(
                signal > 0 && signal <= LAST_SIGNAL ? "by signal " + signal : "with exit code " + code.getAsInt());
    }

    /** The last lines of the log, for a message about why it did not start. */
    public String logTail(int lines) {
        return tail(log, lines);
    }

    static String tail(Path log, int lines) {
        try {
            List<String> all = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    /** SIGKILL; returns when it is gone. */
    public void kill() {
        endedHere = true;
        handle.destroyForcibly();
        awaitExit(STOP_BOUND);
    }

    /**
     * SIGTERM, SIGKILL after {@code bound}; returns when it is gone and removes the pid file. EnvironmentException when it hangs in
     * the kernel, as on a disk that does not answer: it is kept in mind, since it may write on.
     */
    public void stop(Duration bound) {
        endedHere = true;
        try {
            resume();
        } catch (EnvironmentException e) {
            // Where nothing can be forked any more, what is not stopped can still be ended, and what is will be killed.
        }
        handle.destroy();
        if (!awaitExit(bound)) {
            handle.destroyForcibly();
            if (!awaitExit(STOP_BOUND)) {
                throw new EnvironmentException(name + " (pid " + pid() + ") has not ended on SIGKILL; say down again");
            }
        }
        try {
            Files.deleteIfExists(pidFile);
        } catch (IOException e) {
            throw new EnvironmentException("cannot remove " + pidFile + ": " + e.getMessage(), e);
        }
    }

    /** SIGSTOP; returns when the process is seen stopped: until then it may still answer. */
    public void pause() {
        signal("STOP");
        long deadline = System.nanoTime() + SIGNAL_BOUND.toNanos();
        while (isAlive() && !isStopped()) {
            if (System.nanoTime() > deadline) {
                throw new EnvironmentException(name + " (pid " + pid() + ") did not stop on SIGSTOP within "
                        + SIGNAL_BOUND.toSeconds() + " s");
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    /** SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    private boolean isStopped() {
        return ProcessStart.isStopped(handle).orElseGet(() -> run("ps", "-o", "stat=", "-p", Long.toString(pid()))
                .trim()
                .startsWith("T"));
    }

    /** A process that is gone is no error. */
    private void signal(String signal) {
        if (isAlive()) {
            // The shell's own: not every image has a kill.
            run("/bin/sh", "-c", "kill -s \"$0\" \"$1\"", signal, Long.toString(pid()));
        }
    }

    private String run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            // It prints a line at most, so it never waits for a reader.
            if (!process.waitFor(SIGNAL_BOUND.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new EnvironmentException(
                    "cannot run " + String.join(" ", command) + " for " + name + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** Whether it ended within {@code bound}. */
    public boolean awaitExit(Duration bound) {
        if (child == null) {
            return awaitStrangersExit(bound);
        }
        try {
            handle.onExit().get(bound.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
            return !isAlive();
        }
    }

    /** Java looks at a process that is no child of its own ever more seldom; who replaces one waits for it. */
    private boolean awaitStrangersExit(Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (isAlive()
                && System.nanoTime() < deadline
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
        return !isAlive();
    }
}
