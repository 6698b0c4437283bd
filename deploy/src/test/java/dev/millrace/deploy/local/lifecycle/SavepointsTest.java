package dev.millrace.deploy.local.lifecycle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class SavepointsTest {
    @TempDir
    Path base;

    private final AtomicInteger looks = new AtomicInteger();
    private HttpServer jobManager;

    /** Takes the order; then it says nothing while it starts again, and then it does not know of the order. */
    @BeforeEach
    void serve() throws IOException {
        jobManager = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        jobManager.createContext("/", exchange -> {
            boolean isOrder = exchange.getRequestMethod().equals("POST");
            int whenAsked = looks.get() < 2 ? 503 : 404;
            looks.addAndGet(isOrder ? 0 : 1);
            byte[] body = (isOrder ? "{\"request-id\":\"r\"}" : "{}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isOrder ? 202 : whenAsked, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        jobManager.start();
    }

    @AfterEach
    void stop() {
        jobManager.stop(0);
    }

    @Test
    void aJobManagerThatDoesNotKnowOfTheOrderWasStartedAgainAndNobodyWaitsForIt() {
        String url = "http://127.0.0.1:" + jobManager.getAddress().getPort();
        StackState state = new StackState(
                StackState.State.RUNNING,
                "",
                "",
                5,
                Map.of(StackState.JOB_MANAGER, new StackState.Part(7, "running", 0, url, "", "")),
                "",
                Options.none(),
                Options.none());
        assertThatThrownBy(() -> new Savepoints(RunDirectory.of(base, "one"), state, line -> {}).take())
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("the JobManager was started again")
                .hasMessageEndingWith("say it again");
    }
}
