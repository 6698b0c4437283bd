package dev.millrace.perf.run;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.look.GeneratorClient;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.run.stage.Interruption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The generator's process as fast as it goes against the floor broker, with no job and no store: a run at more than half of that
 * rate may have measured the generator. Used by one thread.
 */
public final class GeneratorAlone {
    /** So much faster than a run the generator must be by itself. */
    public static final double FACTOR = 2;

    private static final String NAME = "generator-alone";
    /** Of the settings of a stack, those that make a reading. */
    private static final List<String> READINGS =
            List.of("devices", "seed", "payload-bytes", "payload-entropy", "skew", "out-of-order-share", "late-share");

    private static final Pattern URL = Pattern.compile("(http://127\\.0\\.0\\.1:\\d+)/state");
    private static final long RETENTION_BYTES = 64L << 20;
    private static final Duration START_BOUND = Duration.ofSeconds(30);
    private static final Duration STOP_BOUND = Duration.ofSeconds(15);
    /** Until the just-in-time compiler has its inner loops. */
    private static final long WARM_UP_NANOS = 3_000_000_000L;

    private static final long MEASURE_NANOS = 4_000_000_000L;
    private static final long LOOK_NANOS = 50_000_000L;
    private static final int LOG_LINES = 20;

    private final Installation installation;
    private final String broker;
    private final StackSettings settings;
    private final Path folder;
    private final Interruption interruption;

    /**
     * @param broker the floor, whose plugin is built
     * @param settings of a run, for what a reading is
     * @param folder for data and logs, made and removed by this
     */
    public GeneratorAlone(
            Installation installation, String broker, StackSettings settings, Path folder, Interruption interruption) {
        this.installation = installation;
        this.broker = broker;
        this.settings = settings;
        this.folder = folder;
        this.interruption = interruption;
    }

    /**
     * Readings per second that the floor broker acknowledged; takes some ten seconds.
     *
     * @return empty when a person ended the benchmark meanwhile
     * @throws EnvironmentException when broker or generator did not start or do not answer
     */
    public OptionalDouble perSecond() {
        Broker plugin = installation.load(broker);
        // Of a benchmark that was killed: the generator is ended here, the server is taken over by the plugin.
        ServerProcess.running(NAME, folder).ifPresent(left -> left.stop(STOP_BOUND));
        try (LocalBroker server = plugin.startLocal(folder.resolve("broker"), Options.none())) {
            delete(ledger());
            try (BrokerClient client = plugin.connect(server.options())) {
                client.createTopic(new TopicSpec(
                        settings.topic(), settings.partitions(), 1, RETENTION_BYTES, Duration.ofHours(1)));
            }
            return OptionalDouble.of(generated(server.options()));
        } catch (Interruption.Asked e) {
            return OptionalDouble.empty();
        } finally {
            delete(folder);
        }
    }

    private Path ledger() {
        return folder.resolve("ledger");
    }

    private double generated(Options server) {
        ServerProcess process = ServerProcess.start(NAME, folder, command(written(server)), Map.of());
        try {
            GeneratorClient generator = new GeneratorClient(url(process));
            interruption.pause(WARM_UP_NANOS);
            long begin = System.nanoTime();
            long before = sent(generator, process);
            interruption.pause(MEASURE_NANOS);
            long after = sent(generator, process);
            return (after - before) / ((System.nanoTime() - begin) / 1e9);
        } finally {
            process.stop(STOP_BOUND);
        }
    }

    private Path written(Options server) {
        Map<String, String> values = new TreeMap<>();
        READINGS.forEach(key -> settings.values().get(key).ifPresent(value -> values.put(key, value)));
        server.asMap().forEach((key, value) -> values.put("broker." + key, value));
        values.put("broker", broker);
        values.put("topic", settings.topic());
        values.put("rate", "max");
        values.put("directory", ledger().toString());
        Path file = folder.resolve("generator.properties");
        PropertiesFile.write(file, values);
        return file;
    }

    /** As in a stack, but for its logging, which is what Log4j does by itself: errors only. */
    private List<String> command(Path file) {
        List<String> command = new ArrayList<>(List.of(Installation.java(), "-Xmx512m", "-XX:+UseParallelGC"));
        command.addAll(Installation.addOpens());
        command.addAll(List.of(
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "-cp",
                installation.classPath() + ":"
                        + installation.builtPlugin(broker).resolve("*"),
                "dev.millrace.connectors.generator.Main",
                "--settings",
                file.toString()));
        return command;
    }

    /** Its port is any that is free, and it says which. */
    private String url(ServerProcess process) {
        long deadline = System.nanoTime() + START_BOUND.toNanos();
        while (process.isAlive() && System.nanoTime() < deadline) {
            Matcher said = URL.matcher(process.logTail(LOG_LINES));
            if (said.find()) {
                return said.group(1);
            }
            interruption.pause(LOOK_NANOS);
        }
        throw failed(process);
    }

    private static long sent(GeneratorClient generator, ServerProcess process) {
        Optional<GeneratorClient.State> state = generator.state();
        return state.orElseThrow(() -> failed(process)).readingsSent();
    }

    private static EnvironmentException failed(ServerProcess process) {
        return new EnvironmentException(
                "the generator alone did not start or did not answer: " + process.logTail(LOG_LINES));
    }

    private static void delete(Path path) {
        try {
            if (Files.exists(path)) {
                Folders.delete(path);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot remove " + path + ": " + e.getMessage(), e);
        }
    }

    /**
     * The run with the gate on the generator: INVALID when its rate was more than half of what the generator does alone.
     *
     * @param perSecond of the generator alone; empty when it is not known: then this gate asks nothing
     */
    public static Run judge(Run run, OptionalDouble perSecond) {
        double accepted = run.figures().getOrDefault(Figure.ACCEPTED_RATE, Double.NaN);
        // What was asked for: in a search it is the rate that was found, and no setting.
        double rate = accepted / run.evidence().getOrDefault(Evidence.RATE_SHARE, Double.NaN);
        if (perSecond.isEmpty() || !Double.isFinite(rate)) {
            return run;
        }
        double alone = perSecond.getAsDouble();
        String reason = String.format(
                Locale.ROOT,
                "the generator alone sends %,.0f readings/s, less than %.0f times the run's %,.0f: it may be what was measured",
                alone,
                FACTOR,
                rate);
        return run.with(
                Map.of(),
                Map.of("generatorAloneTimesRate", alone / rate),
                alone >= FACTOR * rate ? List.of() : List.of(reason),
                List.of());
    }
}
