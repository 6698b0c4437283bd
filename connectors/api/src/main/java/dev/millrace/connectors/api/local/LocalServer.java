package dev.millrace.connectors.api.local;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A server on this machine that may outlive the process that started it, and is found again by its directory: {@code NAME.pid},
 * {@code NAME.port} and {@code NAME.log} are there. A plugin says what the server is told, how it is launched and when a client
 * can use it; all the rest of its life is here. Thread-safe.
 */
public abstract class LocalServer implements AutoCloseable {
    private static final Duration READY_BOUND = Duration.ofSeconds(60);
    private static final Duration STOP_BOUND = Duration.ofSeconds(20);
    private static final long READY_PAUSE_NANOS = 50_000_000;
    private static final int CONNECT_BOUND_MILLIS = 200;
    private static final int START_ATTEMPTS = 3;
    private static final int TAIL_LINES = 20;

    private final String title;
    private final String name;
    private final Path directory;
    private volatile int port;
    private volatile @Nullable ServerProcess process;

    /**
     * @param title what messages call it: "the TITLE ended while it started"
     * @param name of its files
     */
    protected LocalServer(String title, String name, Path directory) {
        this.title = title;
        this.name = name;
        this.directory = directory.toAbsolutePath().normalize();
    }

    /** Writes what the server reads at its start, for {@link #port()}. Comes once for each port that is tried. */
    protected abstract void prepare();

    /** The command of the server's process; it is the same on every restart. */
    protected abstract List<String> command();

    /** What is added to the environment of the server's process. */
    protected Map<String, String> environment() {
        return Map.of();
    }

    /**
     * Asks the server once, within 5 s, whether it is usable; it listens already.
     *
     * @return what is wrong; empty when a client can use it, and it is the one of this directory: on a port that was lost to
     *     another server, that one answers
     */
    protected abstract Optional<String> problem();

    /** What the start may take until a client can use it. */
    protected Duration readyBound() {
        return READY_BOUND;
    }

    /** Every port that it listens on; 0 where that is not known, after a takeover. */
    protected List<Integer> ports() {
        return List.of(port);
    }

    /**
     * Takes over the server that runs in the directory, or starts one; returns when a client can use it. On failure nothing is
     * left running.
     *
     * @param namedPort a port that a person named; 0 for the one it had before in that directory, else the next free one from
     *     {@code wellKnownPort} on
     */
    protected final void start(int namedPort, int wellKnownPort) {
        Optional<ServerProcess> running = ServerProcess.running(name, directory);
        if (running.isPresent()) {
            takeOver(running.get(), namedPort);
            return;
        }
        for (int attempt = 1; ; attempt++) {
            port = namedPort > 0 ? Ports.named(namedPort, "port") : choosePort(attempt == 1, wellKnownPort);
            writePort();
            prepare();
            try {
                launch();
                return;
            } catch (EnvironmentException e) {
                // Nobody named this port: where a stranger took it between the choice and the start, the next one does.
                if (namedPort > 0 || attempt == START_ATTEMPTS || takenPort().isEmpty()) {
                    throw e;
                }
            }
        }
    }

    private void takeOver(ServerProcess running, int namedPort) {
        port = portBefore()
                .orElseThrow(() -> new EnvironmentException("a " + title + " runs in " + directory + " (pid "
                        + running.pid() + ") but its port cannot be read from " + portFile() + "; stop it first"));
        if (namedPort > 0 && namedPort != port) {
            throw new UserException("a " + title + " runs in " + directory + " on port " + port + ", not on "
                    + namedPort + "; stop it first or leave the option port out");
        }
        process = running;
        running.resume();
        awaitUsable(running);
    }

    private int choosePort(boolean asBefore, int wellKnownPort) {
        return portBefore()
                .filter(before -> asBefore && Ports.again(before))
                .orElseGet(() -> Ports.firstFree(wellKnownPort));
    }

    private Path portFile() {
        return directory.resolve(name + ".port");
    }

    private Optional<Integer> portBefore() {
        try {
            return Optional.of(Integer.valueOf(Files.readString(portFile()).trim()));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private void writePort() {
        try {
            Files.createDirectories(directory);
            Files.writeString(portFile(), port + "\n");
        } catch (IOException e) {
            throw new EnvironmentException(
                    "cannot write " + portFile() + ": " + e.getMessage() + "; the " + title
                            + " needs a directory that it can write",
                    e);
        }
    }

    private Optional<Integer> takenPort() {
        return ports().stream().filter(each -> !Ports.isFree(each)).findFirst();
    }

    private void launch() {
        ServerFiles.emptyScratch(directory);
        ServerProcess launched = ServerProcess.start(name, directory, command(), environment());
        process = launched;
        awaitUsable(launched);
    }

    private void awaitUsable(ServerProcess launched) {
        try {
            Optional<String> problem = untilUsable(launched);
            if (problem.isPresent()) {
                throw new EnvironmentException("the " + title + " did not answer on " + address() + " within "
                        + readyBound().toSeconds() + " s (" + problem.get() + "), see " + log() + ":\n" + tail());
            }
        } catch (RuntimeException e) {
            boolean interrupted = Thread.interrupted();
            try {
                launched.stop(STOP_BOUND);
            } catch (EnvironmentException left) {
                // Why it did not start says more.
                e.addSuppressed(left);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            throw e;
        }
    }

    private Optional<String> untilUsable(ServerProcess launched) {
        long deadline = System.nanoTime() + readyBound().toNanos();
        Optional<String> problem = Optional.of("nothing listens there");
        while (System.nanoTime() < deadline) {
            if (listens()) {
                problem = problem();
            }
            // Asked last: where it ended because a stranger has its port, the stranger answers.
            if (!launched.isAlive()) {
                throw new EnvironmentException("the " + title + " ended while it started"
                        + launched.ending().map(how -> ", " + how).orElse("") + "; see " + log() + ":\n" + tail());
            }
            if (problem.isEmpty()) {
                return problem;
            }
            LockSupport.parkNanos(READY_PAUSE_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw new EnvironmentException("interrupted while the " + title + " started");
            }
        }
        return problem;
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_BOUND_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** What the log says last, and before it what went to the console: a wrong setting may show only there. */
    private String tail() {
        ServerProcess last = process();
        String console = last.logTail(TAIL_LINES);
        return log().equals(last.log()) ? console : console + "\n" + ServerProcess.tail(log(), TAIL_LINES);
    }

    private ServerProcess process() {
        ServerProcess current = process;
        if (current == null) {
            throw new IllegalStateException("the " + title + " in " + directory + " was not started");
        }
        return current;
    }

    /** The path of this machine's Java. */
    protected static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Absolute. */
    protected final Path directory() {
        return directory;
    }

    protected final int port() {
        return port;
    }

    /** {@code 127.0.0.1:PORT}. */
    public final String address() {
        return "127.0.0.1:" + port;
    }

    public final long pid() {
        return process().pid();
    }

    public final boolean isAlive() {
        return process().isAlive();
    }

    /** Where it logs: its output, unless it has a file of its own. */
    public Path log() {
        return directory.resolve(name + ".log");
    }

    /** How it ended by itself, to go behind "ended"; empty where nobody knows, or ended it. */
    public final synchronized Optional<String> ending() {
        return process().ending();
    }

    /** SIGKILL; returns when the process is gone. */
    public final synchronized void kill() {
        process().kill();
    }

    /** Stops what is left of it and starts it on the same data and port; returns when a client can use it. */
    public final synchronized void restart() {
        process().stop(STOP_BOUND);
        takenPort().ifPresent(taken -> {
            // It might be a server of the same kind, and answer in place of ours.
            throw new EnvironmentException("port " + taken + " of the " + title + " was taken by another process while"
                    + " it was down; stop that one, then the server starts again");
        });
        launch();
    }

    /** SIGSTOP: it is there and says nothing. */
    public final void pause() {
        process().pause();
    }

    /** SIGCONT. */
    public final void resume() {
        process().resume();
    }

    /** Stops it in order (SIGKILL after 20 s) and leaves its data. */
    @Override
    public final synchronized void close() {
        process().stop(STOP_BOUND);
    }
}
