package dev.millrace.connectors.api.broker;

import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.Optional;

/** A real server process on this machine. Thread-safe. */
public interface LocalBroker extends AutoCloseable {

    /**
     * How {@link Broker#connect} and the others reach it: its address, and the clients' own options that {@link
     * Broker#startLocal} was given.
     */
    Options options();

    /** {@code 127.0.0.1:PORT}. */
    String address();

    /** The server's process id; 0 when it runs inside this process. */
    long pid();

    boolean isAlive();

    /** The server's log. */
    Path log();

    /** How it ended by itself, to go behind "ended"; empty where nobody knows, or ended it. */
    default Optional<String> ending() {
        return Optional.empty();
    }

    /** SIGKILL; returns when the process is gone. */
    void kill();

    /** Starts it again on the same data and the same port; returns when a client can use it. */
    void restart();

    /** SIGSTOP: it is there and says nothing. */
    void pause();

    /** SIGCONT. */
    void resume();

    /** Stops it in order (SIGKILL after 20 s) and leaves its data. */
    @Override
    void close();
}
