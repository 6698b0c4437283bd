package dev.millrace.connectors.stores.clickhouse;

import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.testkit.store.ResultStoreContract;
import dev.millrace.core.settings.Options;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The contract on a server that a person runs; sentences that would kill it are left out. */
@Tag("server")
@EnabledIfEnvironmentVariable(named = "CLICKHOUSE_URL", matches = "http.+")
@DisplayName("ClickHouse as a store, on a server of one's own")
class OwnServerContractTest extends ResultStoreContract {
    @Override
    protected String name() {
        return "clickhouse";
    }

    @Override
    protected LocalStore startServer(Path directory, Options options) {
        String database = "millrace_contract_" + UUID.randomUUID().toString().substring(0, 8);
        return new OwnServer(Options.of(Map.of("url", System.getenv("CLICKHOUSE_URL"), "database", database)));
    }

    @Override
    protected StoreClient connectRetaining(String retention) {
        new ClickHouseStore().drop(local.options());
        return new ClickHouseStore().connect(local.options().with("retention", retention));
    }

    @Override
    protected Predicate<URI> isInsert() {
        return ClickHouseContractTest::isInsert;
    }

    @Override
    protected long storedRows() {
        return ClickHouseContractTest.withoutFinal(client);
    }

    /** A database of a test's own; closing drops it. */
    private record OwnServer(Options options) implements LocalStore {
        @Override
        public String url() {
            return options.get("url").orElseThrow();
        }

        @Override
        public long pid() {
            return 0;
        }

        @Override
        public boolean isAlive() {
            return true;
        }

        @Override
        public Path log() {
            return Path.of("/dev/null");
        }

        @Override
        public void kill() {
            Assumptions.abort("the server is a person's own and is not killed");
        }

        @Override
        public void restart() {
            kill();
        }

        @Override
        public void close() {
            new ClickHouseStore().drop(options);
        }
    }
}
