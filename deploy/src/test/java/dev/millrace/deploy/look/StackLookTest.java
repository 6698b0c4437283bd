package dev.millrace.deploy.look;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.FlinkRest;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackLookTest {
    private static final String METRICS = "/jobs/one/vertices/v/subtasks/metrics";
    private static final Condition RUNNING = new Condition("running", "");
    private static final Condition FINISHED = new Condition("finished", "");
    private static final Optional<GeneratorClient.State> SENT =
            Optional.of(new GeneratorClient.State("running", "", 36_000_000, 0, 0, 0));

    private static final Optional<StackSettings> ALONE = settings("10");
    private static final Optional<StackSettings> OF_SEVERAL = settings("20");

    private static Optional<StackSettings> settings(String allDevices) {
        return Optional.of(StackSettings.bind(
                "up", Options.of(Map.of("broker", "river", "devices", "10", "all-devices", allDevices))));
    }

    private static Optional<FlinkRest.Job> job(OptionalLong lag) {
        return Optional.of(new FlinkRest.Job(
                "running",
                2,
                4,
                4,
                lag,
                OptionalLong.of(4),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty()));
    }

    @Test
    @DisplayName("what was processed is what was sent and waits no more, and nothing where one of the two is not known")
    void processed() {
        Optional<FlinkRest.Job> behind = job(OptionalLong.of(1_000));
        assertThat(StackLook.processed(ALONE, RUNNING, SENT, behind)).isEqualTo(35_999_000);
        assertThat(StackLook.processed(ALONE, RUNNING, SENT, job(OptionalLong.of(40_000_000))))
                .isZero();
        assertThat(StackLook.processed(ALONE, RUNNING, SENT, job(OptionalLong.empty())))
                .isNull();
        assertThat(StackLook.processed(ALONE, RUNNING, SENT, Optional.empty())).isNull();
        assertThat(StackLook.processed(ALONE, RUNNING, Optional.empty(), behind))
                .isNull();
        assertThat(StackLook.processed(ALONE, FINISHED, SENT, Optional.empty())).isEqualTo(36_000_000);
    }

    @Test
    @DisplayName("of several generators the lag is that of all, so what was processed of one's own is not known")
    void processedOfSeveral() {
        assertThat(StackLook.processed(OF_SEVERAL, RUNNING, SENT, job(OptionalLong.of(1_000))))
                .isNull();
        assertThat(StackLook.processed(OF_SEVERAL, FINISHED, SENT, Optional.empty()))
                .isNull();
    }

    /** As Flink: asked for the job it begins to fetch figures, and says of them what it had fetched when it was asked before. */
    @Test
    @DisplayName("one look shows figures of now, where nobody has asked the JobManager for long")
    void fresh(@TempDir Path base) throws IOException {
        AtomicReference<String> fetching = new AtomicReference<>();
        AtomicReference<String> fetched = new AtomicReference<>("7000");
        HttpServer flink = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        flink.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/jobs/one")) {
                Optional.ofNullable(fetching.getAndSet("41")).ifPresent(fetched::set);
            }
            String answer =
                    switch (path) {
                        case "/jobs/overview" ->
                            """
                            {"jobs":[{"jid":"one","state":"RUNNING","start-time":2,"tasks":{"total":1,"running":1}}]}""";
                        case "/jobs/one" ->
                            """
                            {"vertices":[{"id":"v","parallelism":1}]}""";
                        case METRICS ->
                            """
                            [{"id":"s.pendingRecords","sum":%s},{"id":"s.splitsCounted","sum":1},{"id":"s.splitsAssigned","sum":1}]"""
                                    .formatted(fetched.get());
                        default -> "{}";
                    };
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        flink.start();
        RunDirectory directory = RunDirectory.of(base, "river");
        PropertiesFile.write(
                directory.endpointsFile(),
                StackState.of(Map.of(
                                "state",
                                "running",
                                "part.jobmanager.state",
                                StackState.FOREIGN,
                                "part.jobmanager.url",
                                "http://127.0.0.1:" + flink.getAddress().getPort()))
                        .toProperties());
        try (StackLook look = new StackLook(
                () -> {
                    throw new IllegalStateException("nobody has a broker here");
                },
                directory)) {
            assertThat(look.look().lag()).isEqualTo(41);
        } finally {
            flink.stop(0);
        }
    }
}
