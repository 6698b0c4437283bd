package dev.millrace.brokers.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
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
        TreeSet<String> keys = new TreeSet<>();
        for (KafkaOptions.Tuning tuning : KafkaOptions.Tuning.values()) {
            Options options = Options.of(Map.of("tuning", tuning.name().toLowerCase()));
            KafkaServerFiles.write(directory, 1, 2, KafkaOptions.bindLocal(options), "0");
            Properties written = new Properties();
            try (InputStream stream = Files.newInputStream(directory.resolve(KafkaServerFiles.SETTINGS))) {
                written.load(stream);
            }
            keys.addAll(written.stringPropertyNames());
        }
        keys.removeIf(key -> key.startsWith(KafkaServerFiles.VERSION_KEY_PREFIX));
        assertThat(keys).hasSizeGreaterThan(20);
        assertThat(serverSettings()).containsAll(keys);
    }

    private static Collection<String> serverSettings() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader server = new URLClassLoader(jars(), ClassLoader.getPlatformClassLoader())) {
            // The definition finds the classes of its defaults by way of the thread.
            thread.setContextClassLoader(server);
            Object definition = server.loadClass("org.apache.kafka.server.config.AbstractKafkaConfig")
                    .getField("CONFIG_DEF")
                    .get(null);
            Collection<?> names =
                    (Collection<?>) definition.getClass().getMethod("names").invoke(definition);
            return names.stream().map(Object::toString).toList();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL[] jars() throws IOException {
        try (Stream<Path> files = Files.list(KafkaServerFiles.jars())) {
            List<Path> jars =
                    files.filter(file -> file.toString().endsWith(".jar")).toList();
            URL[] urls = new URL[jars.size()];
            for (int i = 0; i < urls.length; i++) {
                urls[i] = jars.get(i).toUri().toURL();
            }
            return urls;
        }
    }
}
