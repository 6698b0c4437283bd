package dev.millrace.deploy.local;

import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.Options;

/** A store that a person runs: its tables are made, and from then on it is only used, never stopped or started. */
final class ForeignStorePart implements StorePart {
    private final ResultStore store;
    private final StackSettings settings;

    ForeignStorePart(ResultStore store, StackSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    @Override
    public String name() {
        return StackState.STORE;
    }

    @Override
    public void start() {
        try (StoreClient client = store.connect(options())) {
            client.prepare();
        }
    }

    @Override
    public void dropRows() {
        store.drop(options());
    }

    @Override
    public Options options() {
        return settings.foreignStoreOptions();
    }

    @Override
    public boolean isForeign() {
        return true;
    }

    @Override
    public boolean isAlive() {
        return true;
    }

    @Override
    public long pid() {
        return 0;
    }

    @Override
    public void kill() {}

    @Override
    public void stop() {}

    @Override
    public String url() {
        return settings.text("store-url");
    }

    @Override
    public String metricsUrl() {
        return "";
    }

    @Override
    public String log() {
        return "";
    }
}
