package dev.millrace.perf.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.StackMemory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackTopics;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class KeptReadingsTest {
    private static final String LINE = "deploy/bin/millrace benchmark backlog ";

    @TempDir
    Path directory;

    @Test
    void whatAProcessCannotHoldIsRefusedWithWhatWouldBeEnough() {
        assertThat(refusal(Set.of(), 1536, Map.of("retention-bytes", "1800000000")))
                .contains(
                        "broker 'north' keeps readings in its process only, which may have 1.5 GiB, and the backlog may"
                                + " come to 1.7 GiB (--up retention-bytes); name fewer --readings, or --up broker-memory=3GiB");
        assertThat(refusal(Set.of(), 1536, Map.of("retention-bytes", "1536MiB")))
                .isEmpty();
    }

    @Test
    void whatHasADiskOrIsAPersonsOwnIsAskedNothing() {
        Map<String, String> large = Map.of("retention-bytes", "1800000000");
        assertThat(refusal(Set.of(Capability.SURVIVES_KILL), 1024, large)).isEmpty();
        assertThat(refusal(Set.of(), 1024, Map.of("retention-bytes", "1800000000", "address", "127.0.0.1:9")))
                .isEmpty();
    }

    private static Optional<String> refusal(Set<Capability> capabilities, long mebibytes, Map<String, String> up) {
        return KeptReadings.refusal(
                (Broker) Proxy.newProxyInstance(
                        Broker.class.getClassLoader(),
                        new Class<?>[] {Broker.class},
                        (self, method, arguments) -> switch (method.getName()) {
                            case "capabilities" -> capabilities;
                            case "localMemoryBytes" -> OptionalLong.of(mebibytes << 20);
                            case "name" -> "north";
                            default -> throw new AssertionError(method);
                        }),
                StackSettings.bind("test", Options.of(FilledStack.up("north", 1_000_000, up))));
    }

    @Test
    @Tag("server")
    void theReadmesLineFitsEveryBrokerInIt() throws IOException {
        Installation here = Installation.here();
        String line = Files.readAllLines(here.root().resolve("README.md")).stream()
                .filter(one -> one.startsWith(LINE))
                .findFirst()
                .orElseThrow();
        BacklogCommand command = new BacklogCommand();
        new CommandLine(command).parseArgs(line.substring(LINE.length()).split(" "));
        Map<String, String> options = command.options(new ArrayList<>(), List.of());
        List<String> brokers = command.rounds.brokers();
        assertThat(brokers).hasSizeGreaterThan(1);
        for (String broker : brokers) {
            StackSettings settings =
                    StackSettings.bind("README", Options.of(FilledStack.up(broker, command.readings, options)));
            Broker plugin = here.load(broker);
            assertThat(KeptReadings.refusal(plugin, settings)).isEmpty();
            if (!plugin.capabilities().contains(Capability.SURVIVES_KILL)) {
                makeTopics(plugin, settings);
            }
        }
    }

    /** The server itself says what it has room for. */
    private void makeTopics(Broker plugin, StackSettings settings) {
        try (LocalBroker server = plugin.startLocal(directory, StackMemory.ofServer(settings));
                BrokerClient client = plugin.connect(server.options())) {
            StackTopics.of(settings).forEach(spec -> StackTopics.make(client, spec));
        }
    }
}
