package dev.millrace.deploy.local.part;

import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The process of a store that lives with its stack, with its tables. */
final class LocalStorePart implements StorePart {
    private final ResultStore store;
    private final StackSettings settings;
    private final RunDirectory directory;
    private volatile Optional<LocalStore> local = Optional.empty();

    LocalStorePart(ResultStore store, StackSettings settings, RunDirectory directory) {
        this.store = store;
        this.settings = settings;
        this.directory = directory;
    }

    @Override
    public String name() {
        return StackState.STORE;
    }

    @Override
    public synchronized void start() {
        if (local.isPresent()) {
            local.get().restart();
            return;
        }
        Options options = settings.storeOptions();
        if (settings.port("store-port").isPresent()) {
            options = options.with("port", settings.text("store-port"));
        }
        Path folder = directory.storeFolder();
        LaunchMark mark = LaunchMark.of(directory, StackState.STORE);
        if (directory.runsBelow(folder) && mark.differs(options.asMap().toString())) {
            // Taken over on the port that it has, which may be another one than it is to get.
            store.startLocal(folder, options.without("port")).close();
        }
        mark.write(options.asMap().toString());
        LocalStore started = store.startLocal(folder, options);
        local = Optional.of(started);
        try (StoreClient client = store.connect(started.options())) {
            client.prepare();
        }
    }

    @Override
    public void dropRows() {
        Path folder = directory.storeFolder();
        directory.processes().stream()
                .filter(process -> process.log().startsWith(folder))
                .forEach(ServerProcess::kill);
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new EnvironmentException("cannot drop the rows in " + folder + ": " + e, e);
        }
    }

    @Override
    public Options options() {
        return local.map(LocalStore::options).orElse(Options.none());
    }

    @Override
    public boolean isAlive() {
        return local.map(LocalStore::isAlive).orElse(false);
    }

    @Override
    public Optional<String> ending() {
        return local.flatMap(LocalStore::ending);
    }

    @Override
    public long pid() {
        return local.filter(LocalStore::isAlive).map(LocalStore::pid).orElse(0L);
    }

    @Override
    public void kill() {
        local.ifPresent(LocalStore::kill);
    }

    @Override
    public synchronized void stop() {
        local.ifPresent(LocalStore::close);
    }

    @Override
    public String url() {
        return local.map(LocalStore::url).orElse("");
    }

    @Override
    public String metricsUrl() {
        return local.map(started -> started.url() + "/metrics").orElse("");
    }

    @Override
    public String log() {
        return local.map(started -> started.log().toString()).orElse("");
    }
}
