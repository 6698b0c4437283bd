package dev.millrace.deploy.local.part;

import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;

/** A store that a person runs: its tables are made, and from then on it is only used, never stopped or started. */
final class ForeignStorePart extends ForeignPart implements StorePart {
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
    public String url() {
        return settings.text("store-url");
    }
}
