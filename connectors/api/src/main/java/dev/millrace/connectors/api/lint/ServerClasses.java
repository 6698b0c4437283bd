package dev.millrace.connectors.api.lint;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The classes of a server that the build has fetched, apart from those of this process. */
public final class ServerClasses {
    private ServerClasses() {}

    /** What is read from classes that this process does not know when it is compiled. */
    @FunctionalInterface
    public interface Reading<T> {
        T from(ClassLoader loader) throws IOException, ReflectiveOperationException;
    }

    /**
     * Reads something from the classes in a folder of jars. Meanwhile their loader is the thread's context class loader, because
     * some find the classes of their defaults by it. It stays open, because the answer may need more of its classes later.
     *
     * @throws EnvironmentException when the jars are not those that are expected
     */
    public static <T> T read(Path jars, Reading<T> reading) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            ClassLoader loader = new URLClassLoader(urls(jars), ClassLoader.getPlatformClassLoader());
            thread.setContextClassLoader(loader);
            return reading.from(loader);
        } catch (IOException | ReflectiveOperationException | LinkageError e) {
            throw new EnvironmentException(
                    "cannot read the settings from the server's classes in " + jars + ": " + e
                            + "; remove the folder and run the build again",
                    e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL[] urls(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .map(ServerClasses::url)
                    .toArray(URL[]::new);
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
