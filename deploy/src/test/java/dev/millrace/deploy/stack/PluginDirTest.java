package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.deploy.Javac;
import dev.millrace.deploy.local.Installation;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A plugin from outside: a broker of this clone, packed elsewhere under a name that the clone does not have. */
@Tag("server")
class PluginDirTest {
    private static final String ELSEWHERE =
            """
            package elsewhere;
            import dev.millrace.connectors.api.broker.*;
            import dev.millrace.core.reading.PayloadChunk;
            import dev.millrace.core.settings.Options;
            import java.nio.file.Path;
            import java.util.Set;
            import org.apache.flink.api.connector.sink2.Sink;
            import org.apache.flink.api.connector.source.Source;

            public final class ElsewhereBroker implements Broker {
                private final Broker working = new WORKING();
                @Override public String name() { return "elsewhere"; }
                @Override public Set<Capability> capabilities() { return working.capabilities(); }
                @Override public Source<PayloadChunk, ?, ?> source(Options o, SourceSpec s) { return working.source(o, s); }
                @Override public <T> Sink<T> sink(Options o, SinkSpec<T> s) { return working.sink(o, s); }
                @Override public BrokerClient connect(Options o) { return working.connect(o); }
                @Override public LocalBroker startLocal(Path d, Options o) { return working.startLocal(d, o); }
            }
            """;

    /** The quickest to start. */
    private static final String WORKING = MillraceCommand.brokers().stream()
            .filter(broker -> !MillraceCommand.survivesKill(broker))
            .findFirst()
            .orElse(MillraceCommand.brokers().get(0));

    @TempDir
    Path base;

    @TempDir
    Path plugin;

    @BeforeEach
    void pack(@TempDir Path scratch) throws IOException {
        String service = "META-INF/services/" + Broker.class.getName();
        try (Stream<Path> jars = Files.list(Installation.here().pluginFolder(WORKING))) {
            for (Path jar : jars.toList()) {
                Path copy = Files.copy(jar, plugin.resolve(jar.getFileName()));
                try (FileSystem inside = FileSystems.newFileSystem(copy)) {
                    if (Files.exists(inside.getPath(service))) {
                        String working =
                                Files.readString(inside.getPath(service)).strip();
                        Path source = Files.writeString(
                                scratch.resolve("ElsewhereBroker.java"), ELSEWHERE.replace("WORKING", working));
                        Javac.compile(List.of(source.toString()), scratch, copy.toString());
                        Files.createDirectory(inside.getPath("elsewhere"));
                        Files.copy(
                                scratch.resolve("elsewhere/ElsewhereBroker.class"),
                                inside.getPath("elsewhere/ElsewhereBroker.class"));
                        Files.writeString(inside.getPath(service), "elsewhere.ElsewhereBroker\n");
                    }
                }
            }
        }
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    @DisplayName("a plugin from outside comes up by its folder, and every later command finds it by the stack")
    void aPluginFromOutside() throws IOException {
        MillraceCommand millrace = new MillraceCommand(base);
        String folder = plugin.toString();
        assertThat(millrace.run("brokers", "--plugin-dir", folder).succeeded())
                .containsPattern("elsewhere +built +none +" + folder);
        assertThat(millrace.run("up", "--broker", "elsewhere").failed(2))
                .contains("there is no broker 'elsewhere'")
                .contains("--plugin-dir DIR");
        assertThat(millrace.run("up", "--broker", WORKING, "--plugin-dir", folder)
                        .failed(2))
                .contains("the plugin in " + folder + " is broker 'elsewhere', not '" + WORKING + "'");
        String own = Installation.here().pluginFolder(WORKING).toString();
        assertThat(millrace.run("up", "--plugin-dir", own).failed(2))
                .contains("two plugins call themselves broker '" + WORKING + "'")
                .contains(own);
        try {
            String[] up = {"up", "--plugin-dir", folder, "--rate", "500", "--devices", "20", "--window", "2s"};
            millrace.run(up).succeeded();
            assertThat(millrace.run("brokers").succeeded()).containsPattern("elsewhere +built +running .*" + folder);
            assertThat(millrace.status().path("broker").asText()).isEqualTo("elsewhere");
            assertThat(millrace.status().path("brokerVersion").asText()).isNotBlank();
            millrace.run("audit").succeeded();
            millrace.run("results", "--last", "1").succeeded();
        } finally {
            millrace.run("down").succeeded();
        }
        assertThat(millrace.processes()).isEmpty();
    }
}
