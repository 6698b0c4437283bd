package dev.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.comparison.Benchmark;
import dev.millrace.perf.comparison.LocalGround;
import dev.millrace.perf.cost.Cost;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that the test starts stands for the person's own, which a benchmark only uses. */
@Tag("server")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class OwnBrokerTest {
    private static final Duration BOUND = Duration.ofSeconds(120);
    private static final String NAME = TinyScenario.broker("quick");
    private static final Broker PLUGIN = Installation.here().load(NAME);

    @TempDir
    static Path base;

    private static LocalBroker server;

    @BeforeAll
    static void startServer() {
        server = PLUGIN.startLocal(base.resolve("own"), Options.none());
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** Options of {@code up} that lead there. */
    private static Map<String, String> up() {
        Map<String, String> up = new TreeMap<>();
        server.options().asMap().forEach((key, value) -> up.put(key.equals("address") ? key : "broker." + key, value));
        return up;
    }

    @Test
    @DisplayName(
            "whoever names an address and nothing else has the topics of the stack measured, whatever they are called")
    void withoutPrefix() throws IOException {
        String[] up = up().entrySet().stream()
                .map(option -> option.getKey() + "=" + option.getValue())
                .toArray(String[]::new);
        TinyScenario.run("quick", base.resolve("quick"), up);
    }

    @Test
    @DisplayName("a fan-out that is ended while there are copies leaves none, nor any other topic")
    void endedInCopies() throws Exception {
        Path folder = base.resolve("fan-out");
        Scenario scenario = ScenarioFile.load(TinyScenario.file("fan-out", folder))
                .with(Duration.ofSeconds(1), Duration.ofSeconds(2));
        Map<String, String> up = up();
        up.putAll(Map.of("rate", "1000", "topic-prefix", "team-"));
        Benchmark benchmark = new Benchmark(
                new LocalGround(Installation.here(), scenario, up, folder),
                scenario,
                List.of(NAME),
                "",
                1,
                1,
                Cost.unknown(),
                folder,
                line -> {});
        String[] topics = {"team-readings", "team-readings-copy-0", "team-readings-copy-1", "team-readings-copy-2"};
        CompletableFuture<Benchmark.Finished> run = CompletableFuture.supplyAsync(benchmark::run);
        try (BrokerClient client = PLUGIN.connect(server.options())) {
            long deadline = System.nanoTime() + BOUND.toNanos();
            while (Stream.of(topics).mapToInt(client::partitions).min().orElse(0) == 0) {
                assertThat(!run.isDone() && System.nanoTime() < deadline).isTrue();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            benchmark.interrupt();
            BenchmarkResult result =
                    run.get(BOUND.toSeconds(), TimeUnit.SECONDS).result();
            assertThat(result.interrupted()).isTrue();
            assertThat(result.runs()).singleElement().satisfies(one -> assertThat(one.remarks())
                    .isEmpty());
            assertThat(topics)
                    .allSatisfy(topic -> assertThat(client.partitions(topic)).isZero());
        } finally {
            benchmark.interrupt();
        }
    }
}
