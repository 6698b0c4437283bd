package dev.millrace.brokers.pulsar.baseline.official;

import dev.millrace.connectors.api.broker.Broker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** Our plugin from its folder: what it brings comes before what is on this module's class path, the house and Flink do not. */
final class PluginFolder extends URLClassLoader {
    private static final Path FOLDER = Path.of("..", "..", "target", "plugin");

    private PluginFolder(URL[] jars) {
        super("plugin", jars, PluginFolder.class.getClassLoader());
    }

    static Broker load() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            URL[] jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .map(PluginFolder::url)
                    .toArray(URL[]::new);
            return ServiceLoader.load(Broker.class, new PluginFolder(jars))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no plugin in " + FOLDER.toAbsolutePath()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isShared(String name) {
        return name.startsWith("java.")
                || name.startsWith("dev.millrace.core.")
                || name.startsWith("dev.millrace.connectors.")
                || name.startsWith("org.apache.flink.")
                || name.startsWith("org.slf4j.");
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (isShared(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try {
                return findClass(name);
            } catch (ClassNotFoundException e) {
                return super.loadClass(name, resolve);
            }
        }
    }

    @Override
    public URL getResource(String name) {
        URL own = findResource(name);
        return own != null ? own : super.getResource(name);
    }
}
