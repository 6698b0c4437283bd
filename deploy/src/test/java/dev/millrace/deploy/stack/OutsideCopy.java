package dev.millrace.deploy.stack;

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
import java.util.stream.Stream;

/** A plugin from outside: a broker of this clone, packed elsewhere under the name elsewhere, which the clone does not have. */
final class OutsideCopy {
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

    private OutsideCopy() {}

    /**
     * @param working the broker of this clone
     * @param plugin where the jars go
     * @param scratch where sources and classes go
     */
    static void pack(String working, Path plugin, Path scratch) throws IOException {
        String service = "META-INF/services/" + Broker.class.getName();
        try (Stream<Path> jars = Files.list(Installation.here().pluginFolder(working))) {
            for (Path jar : jars.toList()) {
                Path copy = Files.copy(jar, plugin.resolve(jar.getFileName()));
                try (FileSystem inside = FileSystems.newFileSystem(copy)) {
                    if (Files.exists(inside.getPath(service))) {
                        String brokerClass =
                                Files.readString(inside.getPath(service)).strip();
                        Path source = Files.writeString(
                                scratch.resolve("ElsewhereBroker.java"), ELSEWHERE.replace("WORKING", brokerClass));
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
}
