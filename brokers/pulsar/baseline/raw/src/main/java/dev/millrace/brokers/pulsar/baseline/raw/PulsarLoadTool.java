package dev.millrace.brokers.pulsar.baseline.raw;

import dev.millrace.brokers.pulsar.PulsarBroker;
import dev.millrace.brokers.pulsar.PulsarOptions;
import dev.millrace.connectors.api.baseline.LoadTool;
import dev.millrace.connectors.api.baseline.TextPayloads;
import dev.millrace.connectors.api.local.ServerFiles;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code pulsar-perf produce}, from the server's own distribution, which is of the release of the plugin's client. */
public final class PulsarLoadTool implements LoadTool {
    private static final Pattern THROUGHPUT =
            Pattern.compile("Aggregated throughput stats --- *([0-9]+) records sent --- *([0-9.]+) msg/s");
    private static final Pattern LATENCY = Pattern.compile(
            "Aggregated latency stats --- Latency: mean: *[0-9.]+ ms - med: *([0-9.]+) .*? - 99pct: *([0-9.]+) ");

    /** It always has a rate; this one it never reaches. */
    private static final long NO_RATE = 100_000_000;

    /** As much as the plugin's publisher has. */
    private static final String BUFFER = "64M";

    private static final Duration WARM_UP = Duration.ofSeconds(5);

    /** The tool's words for what tuning profiles and people set of a client. */
    private static final Map<String, String> CLIENT =
            Map.of("numIoThreads", "-ioThreads", "numListenerThreads", "-lt", "connectionsPerBroker", "-c");

    private static final Map<String, String> PRODUCER = Map.of(
            "batchingMaxMessages", "-bm",
            "batchingMaxBytes", "-bb",
            "maxPendingMessages", "-o",
            "maxPendingMessagesAcrossPartitions", "-p");

    private static final String DELAY_MICROS = "batchingMaxPublishDelayMicros";
    private static final double MICROS_OF_A_MILLI = 1000;

    @Override
    public String name() {
        return "pulsar";
    }

    @Override
    public String tool() {
        return "pulsar-perf produce";
    }

    @Override
    public Start start(Options options, Load load, Path folder) {
        PulsarOptions bound = PulsarOptions.bind(options);
        Path payloads = TextPayloads.write(folder.resolve("payloads.txt"), load.readingBytes());
        Path logging = folder.resolve("log4j2.properties");
        Path defaults = folder.resolve("pulsar-perf.conf");
        ServerFiles.write(logging, logSettings());
        ServerFiles.write(defaults, Map.of());
        List<String> arguments = new ArrayList<>(List.of(defaults.toString(), "produce"));
        arguments.addAll(List.of("-u", bound.serviceUrl(), "-au", bound.admin()));
        arguments.addAll(List.of("-m", Long.toString(load.readings())));
        arguments.addAll(
                List.of("-r", Long.toString(load.readingsPerSecond() == 0 ? NO_RATE : load.readingsPerSecond())));
        arguments.addAll(List.of("-s", Integer.toString(load.readingBytes()), "-f", payloads.toString()));
        // Without keys its client fills one partition for ten batch delays: then one batch is open where ours has one
        // for each.
        arguments.addAll(List.of("-mk", "random"));
        arguments.addAll(List.of("-ml", BUFFER, "-z", bound.compression().name()));
        arguments.addAll(List.of("--warmup-time=" + WARM_UP.toSeconds()));
        arguments.addAll(words("client.", bound.client(), CLIENT));
        Map<String, String> producer = new TreeMap<>(bound.producer());
        String delay = producer.remove(DELAY_MICROS);
        if (delay != null) {
            arguments.addAll(List.of("-b", Double.toString(Long.parseLong(delay) / MICROS_OF_A_MILLI)));
        }
        arguments.addAll(words("producer.", producer, PRODUCER));
        arguments.add(bound.topic(load.topic()));
        return new Start(jars(), javaOptions(logging), "org.apache.pulsar.testclient.PulsarPerfTestTool", arguments);
    }

    private static List<String> words(String prefix, Map<String, String> settings, Map<String, String> known) {
        List<String> words = new ArrayList<>();
        new TreeMap<>(settings).forEach((key, value) -> {
            if (!known.containsKey(key)) {
                throw new UserException("pulsar-perf has no option for '" + prefix + key
                        + "', so it cannot be set as the plugin is; leave it out");
            }
            words.addAll(List.of(known.get(key), value));
        });
        return words;
    }

    private static Map<String, String> logSettings() {
        Map<String, String> settings = new LinkedHashMap<>();
        // The tool prints its summary in a hook of its own; log4j's would race it and close the log before.
        settings.put("shutdownHook", "disable");
        settings.put("appender.out.type", "Console");
        settings.put("appender.out.name", "OUT");
        settings.put("appender.out.layout.type", "PatternLayout");
        settings.put("appender.out.layout.pattern", "%m%n%xEx");
        settings.put("rootLogger.level", "warn");
        settings.put("rootLogger.appenderRef.out.ref", "OUT");
        settings.put("logger.tool.name", "org.apache.pulsar.testclient");
        settings.put("logger.tool.level", "info");
        return settings;
    }

    /** What its own script opens and sets. */
    private static List<String> javaOptions(Path logging) {
        return List.of(
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.platform=ALL-UNNAMED",
                "--add-opens=java.management/sun.management=ALL-UNNAMED",
                "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
                "-Djava.net.preferIPv4Stack=true",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "-Dlog4j2.configurationFile=" + logging.toUri());
    }

    private static String jars() {
        Path folder = ServerFiles.fetched(PulsarBroker.class, "the Pulsar server");
        try (Stream<Path> folders = Files.list(folder)) {
            return folders.map(each -> each.resolve("lib"))
                            .filter(Files::isDirectory)
                            .findFirst()
                            .orElseThrow(() -> new EnvironmentException("there is no Pulsar distribution in " + folder
                                    + "; remove it and run the build again"))
                    + File.separator
                    + "*";
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + folder + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Summary summary(List<String> output) {
        Matcher throughput = last(THROUGHPUT, output);
        Matcher latency = last(LATENCY, output);
        return new Summary(
                Long.parseLong(throughput.group(1)),
                Double.parseDouble(throughput.group(2)),
                Double.parseDouble(latency.group(1)),
                Double.parseDouble(latency.group(2)));
    }

    private Matcher last(Pattern pattern, List<String> output) {
        for (int line = output.size() - 1; line >= 0; line--) {
            Matcher matcher = pattern.matcher(output.get(line));
            if (matcher.find()) {
                return matcher;
            }
        }
        throw new EnvironmentException(tool() + " printed no aggregated throughput and latency");
    }

    @Override
    public Duration latencyStep() {
        return Duration.ofNanos(1_000);
    }

    @Override
    public long latencyEvery(long readings) {
        return 1;
    }

    @Override
    public Duration latencyWarmUp() {
        return WARM_UP;
    }

    @Override
    public List<String> differences() {
        return List.of(
                "each of its payloads has a random number as key; a reading has its device's name",
                "it stops when as many are answered as it was to send, and so sends some more",
                "it waits where the buffer is full; our publisher is told no and offers again",
                "its own rate begins before its clients connect, and so says too little",
                "our publisher gives each reading a sequence id of its own, an event time, and keeps what is not answered");
    }
}
