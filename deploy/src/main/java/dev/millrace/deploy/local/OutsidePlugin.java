package dev.millrace.deploy.local;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * A broker's plugin from outside the clone.
 *
 * @param broker the name that it gives itself
 * @param folder its jar and those of its own dependencies
 */
public record OutsidePlugin(String broker, Path folder) {

    /** The one plugin in a folder that a person named. */
    static OutsidePlugin in(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new UserException("there is no folder " + folder
                    + "; --plugin-dir names the folder with the jars of a" + " broker's plugin");
        }
        List<String> names = names(folder);
        if (names.size() != 1) {
            throw new UserException("in " + folder + " there must be the plugin of one broker, and there is "
                    + (names.isEmpty()
                            ? "none: no jar there has META-INF/services/" + Broker.class.getName()
                            : "that of " + String.join(" and that of ", names) + ": give each a folder of its own"));
        }
        if (!names.get(0).matches("[a-z][a-z0-9]*")) {
            throw new UserException("the plugin in " + folder + " calls its broker '" + names.get(0)
                    + "'; a broker's name is lower case letters and digits");
        }
        return new OutsidePlugin(names.get(0), folder);
    }

    private static List<String> names(Path folder) {
        try (URLClassLoader loader = loader("plugin in " + folder, folder)) {
            return ServiceLoader.load(Broker.class, loader).stream()
                    .filter(provider -> isFrom(folder, provider.type()))
                    .map(provider -> provider.get().name())
                    .sorted()
                    .toList();
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new UserException(
                    "the plugin in " + folder + " cannot be loaded (" + e
                            + "); it must be built for this version of the"
                            + " SPI, and its own dependencies must lie beside it",
                    e);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Not by its loader: the supervisor has the folder on its own class path. */
    private static boolean isFrom(Path folder, Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .startsWith(folder);
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** A loader of the jars in {@code folder}; what the house has comes from the house. */
    static URLClassLoader loader(String name, Path folder) {
        URL[] urls = jars(folder).stream().map(OutsidePlugin::url).toArray(URL[]::new);
        return new URLClassLoader(name, urls, OutsidePlugin.class.getClassLoader());
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new EnvironmentException("cannot load " + jar + ": " + e.getMessage(), e);
        }
    }

    /** The jars of a plugin's folder, sorted; none where there is no folder. */
    public static List<Path> jars(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + folder + ": " + e.getMessage(), e);
        }
    }
}
