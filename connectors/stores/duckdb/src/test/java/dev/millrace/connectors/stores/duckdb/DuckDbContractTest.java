package dev.millrace.connectors.stores.duckdb;

import dev.millrace.connectors.testkit.store.ResultStoreContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("server")
@DisplayName("DuckDB as a store")
class DuckDbContractTest extends ResultStoreContract {
    @Override
    protected String name() {
        return "duckdb";
    }
}
