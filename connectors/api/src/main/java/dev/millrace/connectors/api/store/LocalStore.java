package dev.millrace.connectors.api.store;

import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.Optional;

/** A store's process on this machine. Thread-safe. */
public interface LocalStore extends AutoCloseable {

    /** How {@link ResultStore#connect} reaches it. */
    Options options();

    /** {@code http://127.0.0.1:PORT}. */
    String url();

    long pid();

    boolean isAlive();

    Path log();

    /** How it ended by itself, to go behind "ended"; empty where nobody knows, or ended it. */
    default Optional<String> ending() {
        return Optional.empty();
    }

    /** SIGKILL; returns when the process is gone. */
    void kill();

    /** Starts it again on the same data and port; returns when a client can use it. */
    void restart();

    /** Stops it in order (SIGKILL after 20 s) and leaves its data. */
    @Override
    void close();
}
