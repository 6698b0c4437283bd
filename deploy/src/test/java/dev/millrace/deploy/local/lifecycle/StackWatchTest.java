package dev.millrace.deploy.local.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.testkit.store.Blocks;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Build;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackWatchTest {
    @TempDir
    Path base;

    private RunDirectory directory;
    private ServerProcess supervisor;

    @BeforeEach
    void supervisor() {
        directory = RunDirectory.of(base, "one");
        supervisor = ServerProcess.start("supervisor", directory.supervisorFolder(), List.of("sleep", "60"), Map.of());
    }

    @AfterEach
    void stop() {
        supervisor.stop(Duration.ofSeconds(5));
    }

    private void restarts(int count) {
        StackState.Part part = new StackState.Part(7, "running", count, "", "", "");
        PropertiesFile.write(directory.endpointsFile(), state("store", part).toProperties());
    }

    private static StackState state(String name, StackState.Part part) {
        return new StackState(
                StackState.State.STARTING, "", "", 5, Map.of(name, part), "", Options.none(), Options.none());
    }

    private void await(Duration bound, int eachLook) {
        AtomicInteger count = new AtomicInteger(7);
        restarts(7);
        new StackWatch(directory, new PrintWriter(Writer.nullWriter())).await("no rows", bound, supervisor, state -> {
            restarts(count.addAndGet(eachLook));
            return false;
        });
    }

    @Test
    void restartsOfBeforeAreNoFailedStart() {
        assertThatThrownBy(() -> await(Duration.ofSeconds(1), 0))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageStartingWith("no rows within 1 s");
    }

    @Test
    void whoWaitsForACheckpointWaitsTwoIntervals() {
        StackSettings often = settings("1s");
        StackSettings seldom = settings("10m");
        assertThat(StackWatch.bound(seldom).minus(StackWatch.bound(often)))
                .isEqualTo(Duration.ofMinutes(20).minusSeconds(2));
        Build build = new Build("a", "b");
        StackFile here = new StackFile(seldom, build, 1);
        assertThat(StackChange.bound(StackPlan.of(here, often, build, false)))
                .as("the greater of both")
                .isGreaterThan(Duration.ofMinutes(20));
    }

    private static StackSettings settings(String interval) {
        return StackSettings.bind("test", Options.of(Map.of("broker", "x", "checkpoint-interval", interval)));
    }

    @Test
    void aCheckpointOfBeforeTheStartIsNone() throws IOException {
        HttpServer flink = flink(() -> "{\"latest\":{\"completed\":{\"trigger_timestamp\":77}}}");
        try {
            StackState state = state(StackState.JOB_MANAGER, jobManager(flink));
            StackWatch watch = new StackWatch(directory, new PrintWriter(Writer.nullWriter()));
            assertThat(watch.hasCheckpoint(state, 76)).isTrue();
            assertThat(watch.hasCheckpoint(state, 77)).isFalse();
        } finally {
            flink.stop(0);
        }
    }

    @Test
    @Tag("server")
    void rowsOfBeforeTheJobBeganAreNotEnoughForAStackThatAnotherCallStarted() throws IOException {
        StackSettings settings = settings("1s");
        ResultStore stores = ResultStores.named(settings.store());
        AtomicInteger looks = new AtomicInteger();
        HttpServer flink = flink(() -> looks.incrementAndGet() < 3
                ? "{\"latest\":{\"completed\":null,\"restored\":{\"restore_timestamp\":76}}}"
                : "{\"latest\":{\"completed\":{\"trigger_timestamp\":77}}}");
        try (LocalStore local = stores.startLocal(directory.storeFolder(), Options.of(Map.of("memory", "640MiB")));
                StoreClient store = stores.connect(local.options())) {
            store.prepare();
            store.insert(Blocks.block(999, List.of(Blocks.window("d", 1000))));
            StackState.Part part = new StackState.Part(local.pid(), "running", 0, local.url(), "", "");
            PropertiesFile.write(
                    directory.endpointsFile(),
                    new StackState(
                                    StackState.State.RUNNING,
                                    "",
                                    "",
                                    5,
                                    Map.of(StackState.STORE, part, StackState.JOB_MANAGER, jobManager(flink)),
                                    "",
                                    Options.none(),
                                    local.options())
                            .toProperties());
            new StackWatch(directory, new PrintWriter(Writer.nullWriter())).awaitUp(settings, supervisor);
            assertThat(looks).hasValue(3);
        } finally {
            flink.stop(0);
        }
    }

    private static StackState.Part jobManager(HttpServer flink) {
        String url = "http://127.0.0.1:" + flink.getAddress().getPort();
        return new StackState.Part(7, StackState.FOREIGN, 0, url, "", "");
    }

    /** One that has a job, and says that of its checkpoints. */
    private static HttpServer flink(Supplier<String> checkpoints) throws IOException {
        Map<String, Supplier<String>> answers = Map.of(
                "/jobs/overview",
                () -> "{\"jobs\":[{\"jid\":\"a\",\"state\":\"RUNNING\",\"tasks\":{\"total\":1,\"running\":1}}]}",
                "/jobs/a/checkpoints",
                checkpoints);
        HttpServer flink = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        flink.createContext("/", exchange -> {
            byte[] body = answers.getOrDefault(exchange.getRequestURI().toString(), () -> "{}")
                    .get()
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        flink.start();
        return flink;
    }

    @Test
    void aPartThatEndsAgainAndAgainIsOne() {
        assertThatThrownBy(() -> await(Duration.ofSeconds(30), 1))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageStartingWith("store ended 3 times while the stack started");
    }
}
