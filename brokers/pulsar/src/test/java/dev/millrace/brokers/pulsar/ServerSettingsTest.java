package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs the server's jars, not a running server. */
@Tag("server")
class ServerSettingsTest {

    @Test
    void everySettingOfTheLocalServerAndOfTheProfilesExists(@TempDir Path directory) throws Exception {
        Path distribution = LocalPulsarFiles.distribution();
        TreeSet<String> keys = new TreeSet<>();
        for (PulsarOptions.Tuning tuning : PulsarOptions.Tuning.values()) {
            Options options = Options.of(Map.of("tuning", tuning.name().toLowerCase(Locale.ROOT)));
            LocalPulsarFiles.PortsOfServer ports = new LocalPulsarFiles.PortsOfServer(1, 2, 3, 4);
            LocalPulsarFiles.write(directory, distribution, ports, PulsarOptions.bindLocal(options));
            keys.addAll(properties(directory.resolve(LocalPulsarFiles.SETTINGS)).stringPropertyNames());
        }
        // What the distribution ships is the distribution's.
        keys.removeAll(properties(distribution.resolve("conf/standalone.conf")).stringPropertyNames());
        assertThat(keys)
                .hasSizeGreaterThan(15)
                .contains("journalMaxSizeMB", "brokerDeduplicationSnapshotIntervalSeconds");
        keys.removeAll(serverSettings(distribution));
        assertThat(keys).as("settings that do not exist").isEmpty();
    }

    private static Properties properties(Path file) throws IOException {
        Properties properties = new Properties();
        try (InputStream stream = Files.newInputStream(file)) {
            properties.load(stream);
        }
        return properties;
    }

    /** The fields of the broker's configuration, and the names that the bookie's holds as constants. */
    private static TreeSet<String> serverSettings(Path distribution) throws Exception {
        TreeSet<String> names = new TreeSet<>();
        try (URLClassLoader server = new URLClassLoader(jars(distribution), ClassLoader.getPlatformClassLoader())) {
            Class<?> broker = server.loadClass("org.apache.pulsar.broker.ServiceConfiguration");
            for (Field field : broker.getDeclaredFields()) {
                names.add(field.getName());
            }
            for (String bookie : List.of(
                    "conf.ServerConfiguration",
                    "conf.AbstractConfiguration",
                    "bookie.storage.ldb.DbLedgerStorage",
                    "http.HttpServerLoader")) {
                for (Field field :
                        server.loadClass("org.apache.bookkeeper." + bookie).getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
                        field.setAccessible(true);
                        names.add((String) field.get(null));
                    }
                }
            }
        }
        return names;
    }

    private static URL[] jars(Path distribution) throws IOException {
        try (Stream<Path> files = Files.list(distribution.resolve("lib"))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .map(ServerSettingsTest::url)
                    .toArray(URL[]::new);
        }
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
