package dev.millrace.connectors.testkit.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.millrace.connectors.api.Named;
import dev.millrace.connectors.api.baseline.LoadTool;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a {@link LoadTool} promises: its own process against a real server. One server for each class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
public abstract class LoadToolContract {
    private static final String TOPIC = "load";
    private static final int PARTITIONS = 4;
    private static final long READINGS = 60_000;
    /** Some seconds longer than its warm-up, or nothing would be counted. */
    private static final long RATE = 5_000;

    private static final int BYTES = 300;
    private static final int KEY_BYTES = 10;
    /** Random keys of so many readings: a standard deviation of less than one percent. */
    private static final double UNEVEN_PERCENT = 5;

    private static final Duration READ_BOUND = Duration.ofSeconds(60);
    private static final long PROCESS_BOUND_SECONDS = 180;

    private @Nullable LocalBroker server;

    /** The plugin of the tool under test. */
    protected abstract Broker broker();

    /** What {@link Broker#startLocal} gets: a bound on memory above all. */
    protected abstract Options localOptions();

    @BeforeAll
    void startServer(@TempDir Path directory) {
        server = broker().startLocal(directory, localOptions());
    }

    @AfterAll
    void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    private LoadTool tool() {
        return Named.find(LoadTool.class, LoadTool::name, "load tool", broker().name());
    }

    @Test
    @DisplayName("it sends what it is told, says how much that was, at what rate and with what latency")
    void sends(@TempDir Path folder) throws Exception {
        try (BrokerClient client = broker().connect(server.options())) {
            client.createTopic(TopicSpec.of(TOPIC, PARTITIONS));
            List<String> output = run(
                    tool().start(server.options(), new LoadTool.Load(TOPIC, READINGS, BYTES, KEY_BYTES, RATE), folder),
                    folder);
            LoadTool.Summary summary = tool().summary(output);
            assertThat(summary.sent()).as("sent; %s", output).isGreaterThanOrEqualTo(READINGS);
            assertThat(client.lag(TOPIC, "nobody")).as("readings in the topic").isEqualTo(summary.sent());
            assertThat(summary.readingsPerSecond()).isPositive();
            assertThat(summary.p50Millis()).isPositive();
            assertThat(summary.p99Millis()).isGreaterThanOrEqualTo(summary.p50Millis());
            // As keys do. A tool that leaves one out has fewer batches open, which are full sooner.
            assertThat(perPartition(client, summary.sent()))
                    .as("readings of each partition")
                    .hasSize(PARTITIONS)
                    .allSatisfy((partition, count) -> assertThat((double) count)
                            .isCloseTo((double) summary.sent() / PARTITIONS, withinPercentage(UNEVEN_PERCENT)));
        }
    }

    private static Map<Integer, Long> perPartition(BrokerClient client, long readings) {
        Map<Integer, Long> counts = new TreeMap<>();
        long deadline = System.nanoTime() + READ_BOUND.toNanos();
        long read = 0;
        try (Subscriber subscriber = client.subscriber(TOPIC, new StartFrom.Earliest())) {
            while (read < readings && System.nanoTime() < deadline) {
                for (PayloadChunk chunk : subscriber.poll(Duration.ofSeconds(1))) {
                    read += chunk.count();
                    counts.merge(chunk.partition(), (long) chunk.count(), Long::sum);
                }
            }
        }
        assertThat(read).as("readings read within %s", READ_BOUND).isEqualTo(readings);
        return counts;
    }

    private static List<String> run(LoadTool.Start start, Path folder) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m"));
        command.addAll(start.javaOptions());
        command.addAll(List.of("-cp", start.classPath(), start.mainClass()));
        command.addAll(start.arguments());
        Path log = folder.resolve("output.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(PROCESS_BOUND_SECONDS, TimeUnit.SECONDS))
                    .as("the tool ends by itself")
                    .isTrue();
            assertThat(process.exitValue())
                    .as("exit code; it printed %s", Files.readAllLines(log))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(log);
    }

    @Test
    @DisplayName("output without figures is a sentence, never a number")
    void noFigures() {
        assertThatThrownBy(() -> tool().summary(List.of("Exception in thread \"main\"", "")))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(tool().tool());
    }

    @Test
    @DisplayName("it says in what it differs from a publisher of readings")
    void differences() {
        assertThat(tool().differences()).isNotEmpty().noneMatch(String::isBlank);
    }
}
