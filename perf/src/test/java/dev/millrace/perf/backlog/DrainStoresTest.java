package dev.millrace.perf.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.Installation;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class DrainStoresTest {
    @TempDir
    Path directory;

    @Test
    void oneProcessServesAllStoresAndEndsWithThem() {
        long pid;
        try (DrainStores stores = stores()) {
            DrainStores.Open first = stores.open(directory.resolve("first"));
            DrainStores.Open second = stores.open(directory.resolve("second"));
            pid = first.pid();
            assertThat(second.pid()).isEqualTo(pid);
            assertThat(second.options()).isNotEqualTo(first.options());
            stores.close(first);
            assertThat(rows(second)).isZero();
            stores.close(second);
            assertThat(rows(stores.open(directory.resolve("third")))).isZero();
            assertThat(ProcessHandle.of(pid)).isPresent();
        }
        assertThat(ProcessHandle.of(pid)).isEmpty();
    }

    @Test
    void whatItCannotOpenIsSaidWithTheEndOfItsLog() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "no folder");
        try (DrainStores stores = stores()) {
            assertThatThrownBy(() -> stores.open(file.resolve("store")))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("the process of the drains' stores failed")
                    .hasMessageContaining("cannot open the database " + file.resolve("store"));
        }
    }

    private DrainStores stores() {
        return new DrainStores(Installation.here(), directory.resolve("process"));
    }

    private static long rows(DrainStores.Open store) {
        try (StoreClient client = ResultStores.named(DrainStores.NAME).connect(store.options())) {
            return client.extent().windows();
        }
    }
}
