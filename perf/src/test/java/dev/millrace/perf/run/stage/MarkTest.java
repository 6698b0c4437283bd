package dev.millrace.perf.run.stage;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.MetricsPage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkTest {
    @TempDir
    Path base;

    @Test
    void aJobThatKeepsUpHasNoLagThoughReadingsAreSentBetweenTheLooks() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        // A hundred readings are sent from one look to the next, and are decoded at once.
        AtomicInteger sent = new AtomicInteger();
        server.createContext("/generator", exchange -> {
            int now = sent.addAndGet(100);
            answer(
                    exchange,
                    "millrace_generator_readings_sent_total " + now + ".0\nmillrace_generator_send_early_total 7.0\n");
        });
        server.createContext(
                "/job", exchange -> answer(exchange, "flink_readingsDecoded " + sent.addAndGet(100) + ".0\n"));
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            StackState state = new StackState(
                    StackState.State.RUNNING,
                    "",
                    "",
                    0,
                    Map.of(
                            StackState.GENERATOR,
                            new StackState.Part(0, "running", 0, "", url + "/generator", ""),
                            StackState.TASK_MANAGER,
                            new StackState.Part(0, "running", 0, "", url + "/job", "")),
                    "",
                    Options.none(),
                    Options.none());
            MetricsPage metrics = new MetricsPage(RunDirectory.of(base, "river"));
            Mark mark = Mark.of(state, metrics, new LocalProcesses(Optional.empty()));
            assertThat(mark.processed()).hasValue(200);
            assertThat(mark.accepted()).hasValue(300);
            assertThat(mark.early()).hasValue(7);
            assertThat(mark.lag()).hasValue(0);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aStoreOrABrokerOfAPersonsOwnWasNotStartedHere() {
        StackState.Part here = new StackState.Part(7, "running", 0, "", "", "");
        StackState.Part own = new StackState.Part(0, StackState.FOREIGN, 0, "", "", "");
        assertThat(Mark.isStartedHere(stack(here, here))).isTrue();
        assertThat(Mark.isStartedHere(stack(own, here))).isFalse();
        assertThat(Mark.isStartedHere(stack(here, own))).isFalse();
    }

    private static StackState stack(StackState.Part broker, StackState.Part store) {
        return new StackState(
                StackState.State.RUNNING,
                "",
                "",
                0,
                Map.of(StackState.BROKER, broker, StackState.STORE, store),
                "",
                Options.none(),
                Options.none());
    }

    private static void answer(HttpExchange exchange, String page) throws IOException {
        byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
