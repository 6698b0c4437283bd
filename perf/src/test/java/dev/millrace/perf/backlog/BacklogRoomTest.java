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
import dev.millrace.deploy.local.TopicRoom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BacklogRoomTest {
    private static final String LINE = "deploy/bin/millrace benchmark backlog ";

    @TempDir
    Path directory;

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
            assertThat(TopicRoom.lacking(plugin, settings, 0)).isEmpty();
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
