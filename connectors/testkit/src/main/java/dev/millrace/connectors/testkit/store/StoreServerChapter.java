package dev.millrace.connectors.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreClient.Extent;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.window.DeviceWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The sentences about the server's process: it is killed, it is away, it is found again. */
abstract class StoreServerChapter extends StoreBench {
    @Test
    @DisplayName("a token is remembered over a kill: an insert whose answer was lost may be sent again")
    void answerLost() {
        StoreBlock block = Blocks.block(1, Blocks.windows(100, MINUTE));
        client.insert(block);
        local.kill();
        local.restart();
        client.insert(block);
        assertThat(client.extent().windows()).isEqualTo(100);
    }

    @Test
    @DisplayName("several writers insert while the server is killed again and again, and each row is there once")
    void killedWhileInserting() {
        int writers = 3;
        int blocks = 40;
        AtomicInteger inserted = new AtomicInteger();
        CompletableFuture<?>[] inserts = new CompletableFuture<?>[writers];
        Arrays.setAll(
                inserts,
                writer -> CompletableFuture.runAsync(() -> {
                    for (int i = 1; i <= blocks; i++) {
                        client.insert(Blocks.block(
                                writer,
                                writers,
                                i * MINUTE - 1,
                                List.of(Blocks.window("device-" + writer, i * MINUTE))));
                        inserted.incrementAndGet();
                    }
                }));
        for (int kill = 1; kill <= 3; kill++) {
            int enough = kill * blocks * writers / 4;
            await(enough + " blocks are stored", () -> inserted.get() >= enough);
            local.kill();
            local.restart();
        }
        CompletableFuture.allOf(inserts).orTimeout(60, TimeUnit.SECONDS).join();
        List<DeviceWindow> expected = new ArrayList<>();
        for (int i = 1; i <= blocks; i++) {
            for (int writer = 0; writer < writers; writer++) {
                expected.add(Blocks.window("device-" + writer, i * MINUTE));
            }
        }
        assertThat(windows()).containsExactlyElementsOf(expected);
        assertThat(client.extent().completeTo()).isEqualTo(blocks * MINUTE);
    }

    @Test
    @DisplayName("what was answered is there after a kill and after an orderly stop")
    void restartKeepsAll() {
        client.insert(Blocks.block(MINUTE, Blocks.windows(10, MINUTE)));
        client.insert(Blocks.deadLetters(List.of(Blocks.deadLetter(0, 1, 10))));
        Extent before = client.extent();
        local.kill();
        assertThat(local.isAlive()).isFalse();
        local.restart();
        assertThat(client.extent()).isEqualTo(before);
        local.close();
        local = startServer(directory, localOptions());
        client.close();
        client = store().connect(local.options());
        assertThat(client.extent()).isEqualTo(before);
        assertThat(windows()).containsExactlyElementsOf(Blocks.windows(10, MINUTE));
    }

    @Test
    @DisplayName("a server that is away for a while is waited out")
    void outage() {
        local.kill();
        CompletableFuture<Void> insert =
                CompletableFuture.runAsync(() -> client.insert(Blocks.block(1, Blocks.windows(5, MINUTE))));
        assertThat(insert).isNotCompleted();
        local.restart();
        insert.orTimeout(30, TimeUnit.SECONDS).join();
        assertThat(windows()).hasSize(5);
    }

    @Test
    @DisplayName("retention drops windows by event time and says from where on they are all there")
    void retention() {
        client.close();
        client = connectRetaining("10m");
        client.prepare();
        // Up to now, for stores whose time is the clock's.
        long begin = System.currentTimeMillis() / MINUTE * MINUTE - 60 * MINUTE;
        for (int i = 1; i <= 60; i++) {
            client.insert(Blocks.block(begin + i * MINUTE - 1, Blocks.windows(10, begin + i * MINUTE)));
        }
        await("old windows are dropped", () -> client.extent().retainedFrom() >= begin + 49 * MINUTE);
        Extent extent = client.extent();
        assertThat(extent.retainedFrom()).isLessThanOrEqualTo(begin + 52 * MINUTE);
        assertThat(extent.completeTo()).isEqualTo(begin + 60 * MINUTE);
        List<DeviceWindow> expected = new ArrayList<>();
        for (int i = 1; i <= 60; i++) {
            if (begin + i * MINUTE > extent.retainedFrom()) {
                expected.addAll(Blocks.windows(10, begin + i * MINUTE));
            }
        }
        // Also when the clock goes over a minute in between.
        assertThat(windows(extent.retainedFrom(), Long.MAX_VALUE)).containsExactlyElementsOf(expected);
    }

    @Test
    @DisplayName("an unknown option is refused with a suggestion")
    void unknownOptions() {
        assertThatThrownBy(() -> store().connect(Options.of(Map.of("ulr", "http://127.0.0.1:1"))))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'ulr'")
                .hasMessageContaining("url");
    }

    @Test
    @DisplayName("two stores on one machine do not meet")
    void twoStores() {
        try (LocalStore other = startServer(directory.resolve("other"), localOptions());
                StoreClient otherClient = store().connect(other.options())) {
            otherClient.prepare();
            otherClient.insert(Blocks.block(1, Blocks.windows(5, MINUTE)));
            assertThat(client.extent().windows()).isZero();
        }
    }

    @Test
    @DisplayName("closing a client leaves no thread, and a closed client says so")
    void noThreadLeft() throws Exception {
        // Threads are in the group of who made them: those of other tests, which run meanwhile, are in others.
        ThreadGroup ofClient = new ThreadGroup("client");
        FutureTask<Void> use = new FutureTask<>(() -> {
            StoreClient another = store().connect(local.options());
            another.insert(Blocks.block(1, Blocks.windows(5, MINUTE)));
            another.close();
            another.close();
            assertThatThrownBy(another::extent).isInstanceOf(IllegalStateException.class);
            return null;
        });
        new Thread(ofClient, use, "client-user").start();
        use.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        await("all threads have ended", () -> {
            // java.net.http on Java 17 ends its selector's thread when its client has been collected.
            System.gc();
            return ofClient.activeCount() == 0;
        });
    }
}
