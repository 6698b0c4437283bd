package dev.millrace.brokers.kafka.baseline;

import dev.millrace.brokers.kafka.KafkaOptions;
import dev.millrace.connectors.api.baseline.LoadTool;
import dev.millrace.connectors.api.baseline.TextPayloads;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerConfig;

/** {@code kafka-producer-perf-test}, of the release of the plugin's client and on that client. */
public final class KafkaLoadTool implements LoadTool {
    /** The last line; those in between have no percentiles. */
    private static final long MOST_LATENCIES = 500_000;

    private static final Pattern LAST = Pattern.compile("(\\d+) records sent, ([0-9.]+) records/sec .*?"
            + " (\\d+) ms 50th, \\d+ ms 95th, (\\d+) ms 99th, \\d+ ms 99\\.9th\\.");

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String tool() {
        return "kafka-producer-perf-test";
    }

    @Override
    public Start start(Options options, Load load, Path folder) {
        KafkaOptions bound = KafkaOptions.bind(options);
        Path settings = folder.resolve("producer.properties");
        Properties properties = bound.producerProperties();
        // Without keys its client would fill one partition's batch after the other: a quarter as many batches are open
        // and wait.
        properties.setProperty(ProducerConfig.PARTITIONER_CLASS_CONFIG, EvenPartitioner.class.getName());
        write(settings, properties);
        Path payloads = TextPayloads.write(folder.resolve("payloads.txt"), load.readingBytes() + load.keyBytes());
        Path built = built();
        return new Start(
                jars(built.resolve("tool")) + File.pathSeparator + jars(built.resolve("official")),
                List.of(),
                "org.apache.kafka.tools.ProducerPerformance",
                List.of(
                        "--topic",
                        load.topic(),
                        "--num-records",
                        Long.toString(load.readings()),
                        "--payload-file",
                        payloads.toString(),
                        "--throughput",
                        load.readingsPerSecond() == 0 ? "-1" : Long.toString(load.readingsPerSecond()),
                        "--producer.config",
                        settings.toString()));
    }

    private static void write(Path file, Properties properties) {
        try (Writer out = Files.newBufferedWriter(file)) {
            properties.store(out, "as the plugin sets its publisher's client");
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private static String jars(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new EnvironmentException("Kafka's load tool is not built (there is no " + folder
                    + "); build it: mvn -q -DskipTests -P kafka,baselines package");
        }
        return folder + File.separator + "*";
    }

    /** The build's folder that this class was loaded from, as classes or as one of its jars. */
    private static Path built() {
        try {
            Path code = Path.of(KafkaLoadTool.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return Files.isDirectory(code) ? code.getParent() : code.getParent().getParent();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Summary summary(List<String> output) {
        for (int line = output.size() - 1; line >= 0; line--) {
            Matcher last = LAST.matcher(output.get(line));
            if (last.find()) {
                return new Summary(
                        Long.parseLong(last.group(1)),
                        Double.parseDouble(last.group(2)),
                        Double.parseDouble(last.group(3)),
                        Double.parseDouble(last.group(4)));
            }
        }
        throw new EnvironmentException(tool() + " printed no line with percentiles");
    }

    /** It subtracts whole milliseconds of the clock. */
    @Override
    public Duration latencyStep() {
        return Duration.ofMillis(1);
    }

    /** It keeps about {@value #MOST_LATENCIES} of a run ({@code ProducerPerformance.Stats}). */
    @Override
    public long latencyEvery(long readings) {
        return readings / Math.min(readings, MOST_LATENCIES);
    }

    @Override
    public Duration latencyWarmUp() {
        return Duration.ZERO;
    }

    @Override
    public List<String> differences() {
        return List.of(
                "it sends without a key, to one partition after the other, by a partitioner of ours (its client's own, RoundRobinPartitioner,"
                        + " leaves every second partition empty), and its payloads are longer by a key's bytes; a reading has its device as key, which decides"
                        + " the partition",
                "it waits where the buffer is full (max.block.ms); our publisher is told no and offers again");
    }
}
