package dev.millrace.connectors.stores.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.testkit.store.Blocks;
import dev.millrace.connectors.testkit.store.EmbeddedStoreContract;
import dev.millrace.core.window.DeviceWindow;
import java.net.URI;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@DisplayName("DuckDB as a store")
class DuckDbContractTest extends EmbeddedStoreContract {
    @Override
    protected String name() {
        return "duckdb";
    }

    @Override
    protected Predicate<URI> isInsert() {
        return request -> request.getPath().equals("/insert");
    }

    @Test
    @DisplayName("its tables have no keys: two tokens with the same rows are both stored")
    void sameRowsTwice() {
        List<DeviceWindow> rows = Blocks.windows(10, 60_000);
        client.insert(Blocks.block(1, rows));
        client.insert(Blocks.block(1, rows));
        assertThat(client.extent().windows()).isEqualTo(20);
    }
}
