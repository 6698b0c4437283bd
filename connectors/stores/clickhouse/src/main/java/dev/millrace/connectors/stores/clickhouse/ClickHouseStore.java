package dev.millrace.connectors.stores.clickhouse;

import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;

/** The production store; options as {@link ClickHouseSettings} has them. */
public final class ClickHouseStore implements ResultStore {

    @Override
    public String name() {
        return "clickhouse";
    }

    @Override
    public boolean isEmbedded() {
        return false;
    }

    @Override
    public void check(Options options) {
        ClickHouseSettings.bind(options);
    }

    @Override
    public StoreClient connect(Options options) {
        return ClickHouseStoreClient.connect(ClickHouseSettings.bind(options));
    }

    @Override
    public void drop(Options options) {
        try (ClickHouseStoreClient client = ClickHouseStoreClient.connect(ClickHouseSettings.bind(options))) {
            client.drop();
        }
    }

    @Override
    public LocalStore startLocal(Path workDirectory, Options options) {
        throw new UserException("no ClickHouse is started here; say where yours is, such as http://HOST:8123");
    }
}
