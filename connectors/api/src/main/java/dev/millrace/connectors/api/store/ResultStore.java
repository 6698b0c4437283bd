package dev.millrace.connectors.api.store;

import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.List;

/**
 * A place for result rows; found by {@link java.util.ServiceLoader}; stateless and thread-safe.
 *
 * @implSpec {@code url} is the option that every store knows. Options are bound with {@link Options#bind}.
 */
public interface ResultStore {
    /** The environment variable with the password for a store that a person runs, of each process that speaks with it. */
    String PASSWORD_VARIABLE = "MILLRACE_STORE_PASSWORD";

    /** What people type and the folder's name. */
    String name();

    /** Whether it lives with the stack: {@link #startLocal} starts it. Else a person runs it and says where. */
    boolean isEmbedded();

    /**
     * Throws UserException when the options are wrong; speaks to nobody, starts and writes nothing. A benchmark asks before its first
     * run.
     *
     * @param options as {@link #startLocal} takes them; of a store that is not embedded, as {@link #connect} does
     * @implSpec Where a store does not say, what is wrong is said when it starts.
     */
    default void check(Options options) {}

    /** Connects; throws EnvironmentException when the store does not answer within 30 s. */
    StoreClient connect(Options options);

    /**
     * Starts the store's server (or the process that owns its file) on this machine, on loopback, data and log below {@code
     * workDirectory}; returns when a client can use it. One that an earlier process started there is taken over.
     *
     * @param options {@code port} (a port that is taken is a UserException; absent: the one it had before in that directory,
     *     else the store's well-known port, else the next free one), {@code retention} (in event time, back from the greatest
     *     window end), {@code memory} (bytes of the server's process) and what the store adds
     */
    LocalStore startLocal(Path workDirectory, Options options);

    /**
     * The command line of an embedded store's process for somebody else who starts it and keeps it alive, such as a container; what
     * the process reads is written, and its data go, below {@code workDirectory}, which is there.
     *
     * @param options as {@link #startLocal} takes them, and {@code host} (the one address that it listens on), {@code name} (under
     *     which clients reach it besides), {@code id} (which clients must know, as their own option; needed beyond loopback)
     */
    default List<String> command(Path workDirectory, Options options) {
        throw new UnsupportedOperationException("store '" + name() + "' has no process of a stack's own");
    }

    /**
     * Serves an embedded store, on loopback, from this JVM: for who measures with a store that is new each time and a process that is
     * warm. In a JVM of {@link #javaCommand} it costs what it costs in a process of its own.
     *
     * @param workDirectory of its data; made when it is not there, and of no other store's process
     * @param options as {@link #startLocal} takes them
     */
    default ServedStore serve(Path workDirectory, Options options) {
        throw new UnsupportedOperationException("store '" + name() + "' is served by no JVM");
    }

    /**
     * How a command line begins that starts Java as {@link #startLocal} does for the store's own process; class path and main class
     * follow.
     *
     * @param workDirectory of the process's log and temporary files, which is there
     */
    default List<String> javaCommand(Path workDirectory) {
        throw new UnsupportedOperationException("store '" + name() + "' is served by no JVM");
    }

    /** Removes from a store that is not embedded all that {@link StoreClient#prepare} makes, rows included, and nothing else. */
    default void drop(Options options) {
        throw new UnsupportedOperationException("an embedded store goes with its directory");
    }
}
