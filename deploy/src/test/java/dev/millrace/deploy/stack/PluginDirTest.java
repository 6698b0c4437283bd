package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.lint.SettingsKind;
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

    private static final String ITS_SETTINGS =
            """
            package elsewhere;
            import dev.millrace.connectors.api.lint.*;
            import java.util.List;
            import java.util.Map;

            public final class ElsewhereSettings implements SettingsKind {
                @Override public String name() { return "elsewhere-server"; }
                @Override public List<String> fileNames() { return List.of("elsewhere.conf"); }
                @Override public KnownSettings known() {
                    return new KnownSettings(
                        "elsewhere 1", Map.of("port", KnownSetting.named()), List.of(), List.of());
                }
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
                        Path kind = Files.writeString(scratch.resolve("ElsewhereSettings.java"), ITS_SETTINGS);
                        Javac.compile(List.of(source.toString(), kind.toString()), scratch, copy.toString());
                        Files.createDirectory(inside.getPath("elsewhere"));
                        for (String name : List.of("ElsewhereBroker", "ElsewhereSettings")) {
                            String file = "elsewhere/" + name + ".class";
                            Files.copy(scratch.resolve(file), inside.getPath(file));
                        }
                        Files.writeString(inside.getPath(service), "elsewhere.ElsewhereBroker\n");
                        Files.writeString(
                                inside.getPath("META-INF/services/" + SettingsKind.class.getName()),
                                "elsewhere.ElsewhereSettings\n");
                    }
                }
            }
        }
    }

    @Test
    @DisplayName("lint knows the settings files of a plugin from outside, when it is told its folder")
    void lintKnowsAPluginFromOutside() throws IOException {
        MillraceCommand millrace = new MillraceCommand(base);
        String file =
                Files.writeString(base.resolve("elsewhere.conf"), "prot=1\n").toString();
        assertThat(millrace.run("lint", "--kind", "elsewhere-server", file).failed(2))
                .contains("there is no kind of settings file 'elsewhere-server'");
        assertThat(millrace.run("lint", "--plugin-dir", plugin.toString(), file).failed(1))
                .contains(file + ":1 prot:")
                .contains("elsewhere-server, elsewhere 1");
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
