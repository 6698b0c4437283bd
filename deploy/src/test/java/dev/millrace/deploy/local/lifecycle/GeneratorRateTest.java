package dev.millrace.deploy.local.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Build;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The rate of a generator that was killed, which runs with that of its ledger, 500/s")
@Timeout(30)
class GeneratorRateTest {
    @TempDir
    Path base;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private RunDirectory directory;
    private HttpServer generator;

    @BeforeEach
    void serve() throws IOException {
        generator = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        generator.createContext("/", exchange -> {
            if (exchange.getRequestMethod().equals("POST")) {
                told.add(exchange.getRequestURI().toString());
            }
            byte[] body =
                    "{\"state\":\"running\",\"targetRateReadingsPerSecond\":500}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        generator.start();
        directory = RunDirectory.of(base, "one");
        String url = "http://127.0.0.1:" + generator.getAddress().getPort();
        StackState state = new StackState(
                StackState.State.RUNNING,
                "",
                "",
                5,
                Map.of(StackState.GENERATOR, new StackState.Part(7, "running", 0, url, "", "")),
                "",
                Options.none(),
                Options.none());
        PropertiesFile.write(directory.endpointsFile(), state.toProperties());
    }

    @AfterEach
    void stop() {
        generator.stop(0);
    }

    @Test
    @DisplayName("is the one that is asked for")
    void asked() {
        GeneratorRate.hold(plan("500", "700"), directory);
        assertThat(told).containsExactly("/rate?readingsPerSecond=700");
    }

    @Test
    @DisplayName("is the one that an interrupted change asked for, when that is completed")
    void interrupted() {
        file("500").write(directory.previousFile());
        GeneratorRate.hold(plan("700", "700"), directory);
        assertThat(told).containsExactly("/rate?readingsPerSecond=700");
    }

    @Test
    @DisplayName("stays what a person told it where nobody asks for another")
    void stays() {
        GeneratorRate.hold(plan("700", "700"), directory);
        file("700").write(directory.previousFile());
        GeneratorRate.hold(plan("700", "700"), directory);
        assertThat(told).isEmpty();
    }

    private static StackPlan plan(String here, String there) {
        StackFile file = file(there);
        return StackPlan.of(file(here), file.settings(), file.build(), false);
    }

    private static StackFile file(String rate) {
        return new StackFile(
                StackSettings.bind("test", Options.of(Map.of("broker", "x", "rate", rate))), new Build("a", "b"), 1);
    }
}
