package dev.millrace.perf.backlog;

import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.process.ToldProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stores of a topic's drains: each new and empty, all served by one process, which stays as the broker's does. Used by one thread;
 * methods throw EnvironmentException, with the end of the process's log, when it fails or takes too long.
 */
final class DrainStores implements AutoCloseable {
    /** Which store it is. */
    static final String NAME = "duckdb";

    private static final Duration ANSWER_BOUND = Duration.ofSeconds(60);

    private final Installation installation;
    private final Path folder;
    private @Nullable ToldProcess process;

    /** @param folder the process's own, for its log and temporary files */
    DrainStores(Installation installation, Path folder) {
        this.installation = installation;
        this.folder = folder;
    }

    /**
     * One store, until it is closed.
     *
     * @param options how a client reaches it
     * @param pid of the process that serves it
     */
    record Open(Path directory, Options options, long pid) {}

    /** Opens a store whose data go below {@code directory}; the first one starts the process. */
    Open open(Path directory) {
        ToldProcess host = process;
        if (host == null) {
            host = start();
            process = host;
        }
        return new Open(directory, Options.of(ask(host, StoreHost.OPEN, directory)), host.pid());
    }

    /** Closes it in order: its rows are in its directory. */
    void close(Open store) {
        if (process != null) {
            ask(process, StoreHost.CLOSE, store.directory());
        }
    }

    private static Map<String, String> ask(ToldProcess host, String order, Path directory) {
        return host.ask(order, Map.of(StoreHost.STORE, NAME, StoreHost.DIRECTORY, directory.toString()), ANSWER_BOUND);
    }

    private ToldProcess start() {
        try {
            Path log = Files.createDirectories(folder).resolve("stores.log");
            List<String> command = new ArrayList<>(ResultStores.named(NAME).javaCommand(folder));
            command.addAll(List.of("-cp", ToldProcess.classPath(installation), StoreHost.class.getName()));
            return ToldProcess.start("the process of the drains' stores", command, log);
        } catch (IOException e) {
            throw new EnvironmentException("cannot start the drains' stores in " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Ends the process, whatever it has open. */
    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
