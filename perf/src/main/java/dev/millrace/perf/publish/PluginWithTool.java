package dev.millrace.perf.publish;

import dev.millrace.connectors.api.Named;
import dev.millrace.connectors.api.baseline.LoadTool;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.Brokers;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.OutsidePlugin;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A broker's plugin and what knows its load tool, in a class loader of their own. While it is open that is the thread's context
 * class loader; it is opened and closed by one thread.
 */
final class PluginWithTool implements AutoCloseable {
    private final URLClassLoader loader;
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final Broker broker;
    private final LoadTool tool;

    private PluginWithTool(String name, URLClassLoader loader) {
        this.loader = loader;
        Thread.currentThread().setContextClassLoader(loader);
        this.broker = Brokers.named(name);
        this.tool = Named.find(LoadTool.class, LoadTool::name, "load tool of broker", name);
    }

    /** What is not built, or not there for this broker, is a UserException. */
    static PluginWithTool open(Installation installation, String name) {
        List<Path> folders = List.of(installation.builtPlugin(name), baseline(installation, name));
        URLClassLoader loader = new URLClassLoader(
                "plugin and load tool " + name, urls(folders), PluginWithTool.class.getClassLoader());
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try {
            return new PluginWithTool(name, loader);
        } catch (RuntimeException e) {
            Thread.currentThread().setContextClassLoader(before);
            close(loader);
            throw e;
        }
    }

    private static Path baseline(Installation installation, String name) {
        Path folder = installation.root().resolve("brokers").resolve(name).resolve("baseline");
        if (!Files.isDirectory(folder)) {
            throw new UserException("broker '" + name + "' has no load tool of its own to compare with (there is no "
                    + folder + "); name other --brokers");
        }
        Path built = folder.resolve("target/raw");
        if (OutsidePlugin.jars(built).isEmpty()) {
            throw new UserException("the load tool of broker '" + name + "' is not built (no jar in " + built
                    + "); build it: " + installation.inClone("mvn -q -P " + name + ",baselines package"));
        }
        return built;
    }

    private static URL[] urls(List<Path> folders) {
        List<URL> urls = new ArrayList<>();
        for (Path folder : folders) {
            for (Path jar : OutsidePlugin.jars(folder)) {
                try {
                    urls.add(jar.toUri().toURL());
                } catch (MalformedURLException e) {
                    throw new EnvironmentException("cannot load " + jar + ": " + e.getMessage(), e);
                }
            }
        }
        return urls.toArray(URL[]::new);
    }

    Broker broker() {
        return broker;
    }

    LoadTool tool() {
        return tool;
    }

    @Override
    public void close() {
        Thread.currentThread().setContextClassLoader(before);
        close(loader);
    }

    private static void close(URLClassLoader loader) {
        try {
            loader.close();
        } catch (IOException e) {
            throw new EnvironmentException("cannot close the jars of " + loader.getName() + ": " + e.getMessage(), e);
        }
    }
}
