package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.FrameReader;
import dev.millrace.brokers.memory.log.Wire;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.local.CollectorLog;
import dev.millrace.connectors.api.local.LocalServer;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The server as a process of its own. */
final class LocalMemory extends LocalServer implements LocalBroker {
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(5);

    private final LocalOptions options;

    private LocalMemory(Path directory, LocalOptions options) {
        super("memory broker", "memory-broker", directory);
        this.options = options;
    }

    static LocalMemory start(Path directory, LocalOptions options) {
        LocalMemory local = new LocalMemory(directory, options);
        local.start(options.port(), LocalOptions.WELL_KNOWN_PORT);
        return local;
    }

    /** It reads nothing but its arguments. */
    @Override
    protected void prepare() {}

    @Override
    protected List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                java(),
                "-Xmx" + options.heapBytes(),
                // Untouched pages cost nothing; a heap that grows step by step collects everything at each step.
                "-Xms" + options.heapBytes(),
                // What is kept must fit the old generation, which is a bare two thirds without this.
                "-Xmn" + options.youngBytes(),
                "-XX:+UseParallelGC",
                "-XX:+ExitOnOutOfMemoryError",
                // A file in the system's own folder for temporary ones, whatever java.io.tmpdir is.
                "-XX:-UsePerfData",
                "-XX:ReservedCodeCacheSize=48m",
                "-XX:MaxMetaspaceSize=48m",
                "-Xss512k"));
        command.addAll(CollectorLog.options(log()));
        command.addAll(List.of(
                "-cp",
                classPath(),
                Server.class.getName(),
                Integer.toString(port()),
                Long.toString(options.budgetBytes())));
        return command;
    }

    /** Where this plugin, the SPI and core lie: all that the server needs. */
    private static String classPath() {
        Set<String> entries = new LinkedHashSet<>();
        for (Class<?> type : List.of(Server.class, Broker.class, Options.class)) {
            try {
                entries.add(Path.of(type.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString());
            } catch (URISyntaxException e) {
                throw new IllegalStateException(type + " has no code source that is a path", e);
            }
        }
        return String.join(java.io.File.pathSeparator, entries);
    }

    @Override
    protected Optional<String> problem() {
        try (Control control = new Control(address())) {
            control.ask(Wire.PING, frame -> {}, FrameReader::text, ANSWER_BOUND);
            return Optional.empty();
        } catch (EnvironmentException e) {
            return Optional.of(e.getMessage());
        }
    }

    @Override
    public Options options() {
        return options.client(address());
    }
}
