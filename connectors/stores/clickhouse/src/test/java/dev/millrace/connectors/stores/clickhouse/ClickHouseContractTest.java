package dev.millrace.connectors.stores.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.testkit.store.Blocks;
import dev.millrace.connectors.testkit.store.ClickHouseEngine;
import dev.millrace.connectors.testkit.store.ResultStoreContract;
import dev.millrace.core.settings.Options;
import dev.millrace.core.window.DeviceWindow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@DisplayName("ClickHouse as a store, on its current engine")
class ClickHouseContractTest extends ResultStoreContract {
    @Override
    protected String name() {
        return "clickhouse";
    }

    @Override
    protected LocalStore startServer(Path directory, Options options) {
        return ClickHouseEngine.start(directory);
    }

    @Override
    protected StoreClient connectRetaining(String retention) {
        new ClickHouseStore().drop(local.options());
        return new ClickHouseStore().connect(local.options().with("retention", retention));
    }

    @Test
    @DisplayName("two tokens with the same rows are both taken, and FINAL shows one of each")
    void sameRowsTwice() {
        List<DeviceWindow> rows = Blocks.windows(10, 60_000);
        client.insert(Blocks.block(1, rows));
        client.insert(Blocks.block(1, rows));
        assertThat(client.query("SELECT count() AS n FROM windows SETTINGS final = 0")
                        .get(0))
                .containsEntry("n", 20);
        assertThat(client.extent().windows()).isEqualTo(10);
        assertThat(windows()).containsExactlyElementsOf(rows);
    }
}
