package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.local.LocalServer;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.common.Uuid;

/** A Kafka server on this machine: broker and controller in one process, on loopback. */
final class LocalKafka extends LocalServer implements LocalBroker {
    private static final String FORMAT = "kafka-format";
    private static final int WELL_KNOWN_PORT = 9092;
    private static final Duration FORMAT_BOUND = Duration.ofSeconds(60);
    private static final int TAIL_LINES = 20;

    private final Options options;
    private final KafkaOptions bound;
    private final Path jars = KafkaServerFiles.jars();
    private volatile int controllerPort;

    private LocalKafka(Path directory, Options options, KafkaOptions bound) {
        super("Kafka server", "kafka", directory);
        this.options = options;
        this.bound = bound;
    }

    static LocalKafka start(Path workDirectory, Options options) {
        KafkaOptions bound = KafkaOptions.bindLocal(options);
        LocalKafka kafka = new LocalKafka(workDirectory, options, bound);
        kafka.start(bound.port(), WELL_KNOWN_PORT);
        return kafka;
    }

    @Override
    protected void prepare() {
        controllerPort = Ports.firstFree(port() + 1);
        KafkaServerFiles.write(directory(), port(), controllerPort, bound, KafkaServerFiles.version(jars));
        Path meta = KafkaServerFiles.data(directory()).resolve("meta.properties");
        if (!Files.exists(meta)) {
            format(meta);
        }
    }

    /** Gives the data directory its cluster id, once. */
    private void format(Path meta) {
        String id = Uuid.randomUuid().toString();
        ServerProcess format = ServerProcess.start(
                FORMAT,
                directory(),
                command("kafka.tools.StorageTool", "format", "--ignore-formatted", "-t", id, "-c", settings()),
                Map.of());
        boolean ended = format.awaitExit(FORMAT_BOUND);
        format.stop(FORMAT_BOUND);
        if (!ended || !Files.exists(meta)) {
            throw new EnvironmentException("the Kafka server's data directory " + meta.getParent()
                    + " could not be formatted:\n" + format.logTail(TAIL_LINES));
        }
    }

    private String settings() {
        return directory().resolve(KafkaServerFiles.SETTINGS).toString();
    }

    private List<String> command(String... mainAndArguments) {
        return KafkaServerFiles.command(directory(), jars, bound.memoryBytes(), List.of(mainAndArguments));
    }

    @Override
    protected List<String> command() {
        return command("kafka.Kafka", settings());
    }

    @Override
    protected List<Integer> ports() {
        return List.of(port(), controllerPort);
    }

    @Override
    protected Optional<String> problem() {
        Map<String, Object> settings = Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address(),
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5000,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5000);
        try (Admin admin = Admin.create(settings)) {
            DescribeClusterResult cluster = admin.describeCluster();
            if (cluster.nodes().get(5, TimeUnit.SECONDS).isEmpty()) {
                return Optional.of("it has no broker yet");
            }
            String id = cluster.clusterId().get(5, TimeUnit.SECONDS);
            return KafkaServerFiles.clusterId(directory()).equals(id)
                    ? Optional.empty()
                    : Optional.of("another cluster answers there, " + id);
        } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
            return Optional.of(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    @Override
    public Options options() {
        return options.with("address", address());
    }

    @Override
    public Path log() {
        return directory().resolve(KafkaServerFiles.LOG);
    }
}
