package dev.millrace.connectors.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.ServedStore;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.UserException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of a store that is started with its stack. */
public abstract class EmbeddedStoreContract extends ResultStoreContract {
    @Test
    @DisplayName("it says that it is embedded")
    void embedded() {
        assertThat(store().isEmbedded()).isTrue();
    }

    @Test
    @DisplayName("an unknown option of its server is refused with a suggestion, before anything is started")
    void unknownServerOptions() {
        Path other = directory.resolve("other");
        assertThatThrownBy(() -> store().startLocal(other, localOptions().with("retenion", "1h")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("Did you mean 'retention'?");
        assertThat(other).doesNotExist();
        assertThatThrownBy(() -> store().check(localOptions().with("retenion", "1h")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("Did you mean 'retention'?");
        store().check(localOptions());
    }

    @Test
    @DisplayName("a port that was named and is taken is refused with a sentence")
    void portTaken() {
        String port = Integer.toString(URI.create(local.url()).getPort());
        assertThatThrownBy(() -> store().startLocal(
                                directory.resolve("other"), localOptions().with("port", port)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(port)
                .hasMessageContaining("taken");
    }

    @Test
    @DisplayName("one JVM serves stores, each with rows of its own, which are in its directory when it is closed")
    void servedHere() {
        Path other = directory.resolve("other");
        try (ServedStore one = store().serve(directory.resolve("one"), localOptions())) {
            try (ServedStore two = store().serve(other, localOptions());
                    StoreClient ofOne = store().connect(one.options());
                    StoreClient ofTwo = store().connect(two.options())) {
                ofTwo.insert(Blocks.block(1, Blocks.windows(5, MINUTE)));
                assertThat(ofOne.extent().windows()).isZero();
                assertThat(ofTwo.extent().windows()).isEqualTo(5);
            }
            try (ServedStore again = store().serve(other, localOptions());
                    StoreClient client = store().connect(again.options())) {
                assertThat(client.extent().windows()).isEqualTo(5);
            }
        }
    }

    @Test
    @DisplayName("a server that is running in the directory is taken over and not started again")
    void takenOver() {
        client.insert(Blocks.block(1, Blocks.windows(5, MINUTE)));
        LocalStore again = store().startLocal(directory, localOptions());
        assertThat(again.pid()).isEqualTo(local.pid());
        assertThat(again.url()).isEqualTo(local.url());
        try (StoreClient other = store().connect(again.options())) {
            assertThat(other.extent().windows()).isEqualTo(5);
        }
    }
}
