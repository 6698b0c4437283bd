package dev.millrace.deploy.local;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.Brokers;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The built clone that this command belongs to: where its jars are and which plugins it has. Thread-safe.
 *
 * @param root the folder with core/, connectors/, brokers/ and deploy/
 * @param outside a plugin that does not come from the clone
 */
public record Installation(Path root, Optional<OutsidePlugin> outside) {
    /** By the jars that it loads from, as they lay there. */
    private static final Map<List<String>, ClassLoader> LOADERS = new ConcurrentHashMap<>();

    /** The clone named by the system property {@code millrace.root}, which the launcher sets; else the working directory. */
    public static Installation here() {
        Path root = Path.of(System.getProperty("millrace.root", ""));
        return new Installation(root.toAbsolutePath().normalize(), Optional.empty());
    }

    /** The clone with the plugin that the stack in {@code directory} was started with. */
    public static Installation of(RunDirectory directory) {
        return here().with(directory.settings().flatMap(StackSettings::pluginDir));
    }

    /** This clone and the plugin in a folder that a person named, from where they are; a broker that the clone has too is refused. */
    public Installation with(Optional<Path> pluginDir) {
        Optional<OutsidePlugin> plugin =
                pluginDir.map(Path::toAbsolutePath).map(Path::normalize).map(OutsidePlugin::in);
        plugin.filter(one -> brokers().contains(one.broker())).ifPresent(one -> {
            throw new UserException("two plugins call themselves broker '" + one.broker() + "': the one in "
                    + one.folder() + " and the one in "
                    + root.resolve("brokers").resolve(one.broker())
                    + "; rename one, or leave --plugin-dir out");
        });
        return new Installation(root, plugin);
    }

    /** Which broker {@code settings} mean: the named one, else that of the plugin from outside. */
    public String broker(StackSettings settings) {
        String named = settings.broker();
        String found = outside.map(OutsidePlugin::broker).orElse(named);
        if (found.isEmpty()) {
            throw new UserException(
                    "say which broker: millrace up --broker BROKER; there are: " + String.join(", ", brokers()));
        }
        if (!named.isEmpty() && !named.equals(found)) {
            throw new UserException("the plugin in " + outside.orElseThrow().folder() + " is broker '" + found
                    + "', not '" + named + "'; leave one of the two out");
        }
        return found;
    }

    /** The brokers whose folder is there, built or not, and the one from outside; sorted. */
    public List<String> brokers() {
        try (Stream<Path> folders = Files.list(root.resolve("brokers"))) {
            Stream<String> own = folders.filter(folder -> Files.isRegularFile(folder.resolve("pom.xml")))
                    .map(folder -> folder.getFileName().toString());
            return Stream.concat(own, outside.stream().map(OutsidePlugin::broker))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new EnvironmentException(
                    "no folder brokers in " + root + "; start millrace from its clone, by deploy/bin/millrace", e);
        }
    }

    /**
     * Throws UserException when there is no such broker: a misspelt name is no stack that is not there.
     *
     * @param others of stacks that are there, whose plugin may be gone
     */
    public void requireKnown(String broker, Collection<String> others) {
        Set<String> names = new TreeSet<>(brokers());
        names.addAll(others);
        if (!names.contains(broker)) {
            throw new UserException("there is no broker '" + broker + "'"
                    + Suggestion.didYouMean(broker, names)
                    + "; there are: " + String.join(", ", names));
        }
    }

    /** The brokers whose plugin is built; sorted. */
    public List<String> builtBrokers() {
        return brokers().stream()
                .filter(broker -> !OutsidePlugin.jars(pluginFolder(broker)).isEmpty())
                .toList();
    }

    /** Where {@code broker}'s plugin is, or will be when it is built. */
    public Path pluginFolder(String broker) {
        return outside.filter(plugin -> plugin.broker().equals(broker))
                .map(OutsidePlugin::folder)
                .orElseGet(() -> root.resolve("brokers")
                        .resolve(broker)
                        .resolve("target")
                        .resolve("plugin"));
    }

    /** The plugin's folder; an unknown broker or one that is not built is a sentence with what would be right. */
    public Path builtPlugin(String broker) {
        List<String> known = brokers();
        if (!known.contains(broker)) {
            throw new UserException("there is no broker '" + broker + "'"
                    + Suggestion.didYouMean(broker, known)
                    + "; there are: " + String.join(", ", known)
                    + " (and with --plugin-dir DIR a plugin from outside)");
        }
        Path folder = pluginFolder(broker);
        if (OutsidePlugin.jars(folder).isEmpty()) {
            throw new UserException("the plugin of broker '" + broker + "' is not built (no jar in " + folder
                    + "); build it: " + buildCommand("brokers/" + broker));
        }
        return folder;
    }

    /** The command that builds one module and what it needs. */
    public String buildCommand(String module) {
        return inClone("mvn -q -DskipTests -pl " + module + " -am package");
    }

    /** A command of the clone's folder, for a person to copy from wherever they are. */
    public String inClone(String command) {
        return "(cd " + word(root.toString()) + " && " + command + ")";
    }

    /** As a shell takes it for one. */
    private static String word(String text) {
        return text.matches("[\\w./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** The job as one jar, the same for every broker. */
    public Path jobJar() {
        return built(root.resolve("connectors/job/target/millrace-job.jar"), "deploy");
    }

    /** What a Flink distribution would bring, as one class path. */
    public String flinkClassPath() {
        return line(root.resolve("connectors/job/target/flink-classpath"));
    }

    /** The class path of supervisor, generator and store owner: everything but plugins and Flink's run time. */
    public String classPath() {
        Path own = root.resolve("deploy/target");
        String dependencies = line(own.resolve("classpath"));
        try (Stream<Path> files = Files.list(own)) {
            Path jar = files.filter(
                            file -> file.getFileName().toString().matches("millrace-deploy-[^-]+(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElse(own.resolve("classes"));
            return jar + ":" + dependencies;
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + own + ": " + e.getMessage(), e);
        }
    }

    /**
     * The jar of a module that adds commands, and the class path that it needs beside {@link #classPath}; empty when it is not built.
     *
     * @param module its folder
     */
    public Optional<String> commands(String module) {
        Path own = root.resolve(module).resolve("target");
        if (!Files.isRegularFile(own.resolve("classpath"))) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(own)) {
            return files.filter(file ->
                            file.getFileName().toString().matches("millrace-[a-z-]+-[0-9][^-]*(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .map(jar -> jar + ":" + line(own.resolve("classpath")));
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + own + ": " + e.getMessage(), e);
        }
    }

    private String line(Path file) {
        try {
            return Files.readString(built(file, "deploy")).trim();
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private Path built(Path file, String module) {
        if (!Files.isRegularFile(file)) {
            throw new UserException("not built (there is no " + file + "); build it: " + buildCommand(module));
        }
        return file;
    }

    /** The job jar's SHA-256 in hexadecimal. */
    public String jobJarSha256() {
        return Sha256.of(jobJar());
    }

    /** What a stack on that broker would run now. */
    public Build build(String broker) {
        return Build.of(jobJar(), OutsidePlugin.jars(builtPlugin(broker)));
    }

    /** Copies job jar and plugin into the stack's run directory, where no build replaces them; what is there stays. */
    public void keepBuild(RunDirectory directory, StackFile stack) {
        Build build = stack.build();
        Path folder = directory.buildFolder();
        Path plugin = builtPlugin(stack.settings().broker());
        if (directory.jobJar(stack, this).equals(jobJar())) {
            requireSame(build.jobJar(), jobJarSha256(), jobJar());
            copy(jobJar(), build.jobJarIn(folder));
        }
        // Of a stack of an older version nobody knows which one it runs; it goes on with that of the clone.
        if (directory.plugin(stack, this).equals(plugin) && !build.plugin().isEmpty()) {
            List<Path> jars = OutsidePlugin.jars(plugin);
            requireSame(build.plugin(), Build.ofPlugin(jars), plugin);
            Path draft = draft(build.pluginIn(folder));
            jars.forEach(jar -> copy(jar, draft.resolve(jar.getFileName())));
            move(draft, build.pluginIn(folder));
        }
    }

    private static void requireSame(String wanted, String there, Path place) {
        if (!there.equals(wanted)) {
            throw new EnvironmentException(
                    place + " was built anew while it was looked at; wait for the build to end and try again");
        }
    }

    private static void copy(Path file, Path to) {
        Path draft = draft(to);
        try {
            Files.createDirectories(to.getParent());
            Files.copy(file, draft, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new EnvironmentException("cannot copy " + file + " to " + to + ": " + e.getMessage(), e);
        }
        move(draft, to);
    }

    /** What is being made: whoever dies in between leaves nothing by the name that is looked for. */
    private static Path draft(Path to) {
        return to.resolveSibling(to.getFileName() + ".new");
    }

    private static void move(Path draft, Path to) {
        try {
            Files.move(draft, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new EnvironmentException("cannot make " + to + ": " + e.getMessage(), e);
        }
    }

    /** The java that runs this process: every process of a stack runs on the same. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** What Flink and DuckDB reach into: the root pom's one list. */
    public static List<String> addOpens() {
        try (InputStream in = Installation.class.getResourceAsStream("add-opens")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return List.of(text.trim().split("\\s+"));
        } catch (IOException e) {
            throw new EnvironmentException("cannot read the list of --add-opens: " + e.getMessage(), e);
        }
    }

    /**
     * Loads a broker's plugin into this process, in a class loader of its own, the same one as long as its jars are the same: a
     * benchmark asks for it hundreds of times. It becomes the thread's context class loader, and stays so: a command speaks to one
     * broker.
     */
    public Broker load(String broker) {
        Thread.currentThread().setContextClassLoader(loader(broker));
        return Brokers.named(broker);
    }

    /** All services of a type that {@code broker}'s plugin brings along; the thread's context class loader stays what it is. */
    public <S> List<S> services(String broker, Class<S> type) {
        ClassLoader loader = loader(broker);
        return ServiceLoader.load(type, loader).stream()
                .filter(provider -> provider.type().getClassLoader() == loader)
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    private ClassLoader loader(String broker) {
        Path folder = builtPlugin(broker);
        return LOADERS.computeIfAbsent(
                OutsidePlugin.jars(folder).stream().map(Installation::version).toList(),
                jars -> OutsidePlugin.loader("plugin " + broker, folder));
    }

    /** Another text when another file lies there. */
    private static String version(Path jar) {
        try {
            return jar + " " + Files.getLastModifiedTime(jar) + " " + Files.size(jar);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + jar + ": " + e.getMessage(), e);
        }
    }
}
