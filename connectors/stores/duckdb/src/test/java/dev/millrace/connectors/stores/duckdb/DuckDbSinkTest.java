package dev.millrace.connectors.stores.duckdb;

import dev.millrace.connectors.testkit.store.StoreSinkContract;
import java.net.URI;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("server")
@DisplayName("The store's sink into DuckDB")
class DuckDbSinkTest extends StoreSinkContract {
    @Override
    protected String name() {
        return "duckdb";
    }

    @Override
    protected Predicate<URI> isInsert() {
        return request -> request.getPath().equals("/insert");
    }
}
