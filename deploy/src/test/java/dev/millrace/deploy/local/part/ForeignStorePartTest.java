package dev.millrace.deploy.local.part;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.testkit.store.Blocks;
import dev.millrace.connectors.testkit.store.ClickHouseEngine;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.StackSettings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class ForeignStorePartTest {
    @Test
    @DisplayName(
            "a stack whose state is dropped has empty tables in a person's store, and nobody else's database is touched")
    void dropsItsRows(@TempDir Path directory) {
        try (ClickHouseEngine engine = ClickHouseEngine.start(directory)) {
            ResultStore store = ResultStores.named("clickhouse");
            ForeignStorePart part = part(store, engine, "mine");
            ForeignStorePart anothers = part(store, engine, "anothers");
            part.start();
            anothers.start();
            try (StoreClient mine = store.connect(part.options());
                    StoreClient other = store.connect(anothers.options())) {
                mine.insert(Blocks.block(1, Blocks.windows(5, 60_000)));
                other.insert(Blocks.block(1, Blocks.windows(7, 60_000)));
                part.dropRows();
                part.start();
                assertThat(mine.extent().rows()).isZero();
                assertThat(other.extent().rows()).isEqualTo(7);
            }
        }
    }

    private static ForeignStorePart part(ResultStore store, ClickHouseEngine engine, String database) {
        Options options = Options.of(
                Map.of("broker", "any", "store", "clickhouse", "store-url", engine.url(), "store-database", database));
        return new ForeignStorePart(store, StackSettings.bind("up", options));
    }
}
