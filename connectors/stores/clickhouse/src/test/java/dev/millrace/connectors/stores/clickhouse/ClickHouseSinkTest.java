package dev.millrace.connectors.stores.clickhouse;

import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.testkit.store.ClickHouseEngine;
import dev.millrace.connectors.testkit.store.StoreSinkContract;
import dev.millrace.core.settings.Options;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("server")
@DisplayName("The store's sink into ClickHouse")
class ClickHouseSinkTest extends StoreSinkContract {
    @Override
    protected String name() {
        return "clickhouse";
    }

    @Override
    protected LocalStore startServer(Path directory, Options options) {
        return ClickHouseEngine.start(directory);
    }

    @Override
    protected Predicate<URI> isInsert() {
        return ClickHouseContractTest::isInsert;
    }

    @Override
    protected long storedRows() {
        return ClickHouseContractTest.withoutFinal(client);
    }
}
