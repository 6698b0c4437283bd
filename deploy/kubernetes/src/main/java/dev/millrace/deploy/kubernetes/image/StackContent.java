package dev.millrace.deploy.kubernetes.image;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.OutsidePlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * The image of job, generator, audit and store, with one broker's plugin: a built clone as {@link Installation} finds it. A jar that is
 * on several class paths is there once; two with one name and other content are both there.
 */
final class StackContent {
    /** Where the clone is in the image. */
    static final String ROOT = "/opt/millrace";

    private static final String LIB = ROOT + "/lib/";
    private static final String SERVICE = "META-INF/services/" + Broker.class.getName();

    private final Installation installation;
    private final Work work;
    private final Map<String, String> pathsByHash = new HashMap<>();
    private final Map<String, String> hashesByPath = new HashMap<>();
    private final List<ImageFile> libraries = new ArrayList<>();
    private final List<ImageFile> plugin = new ArrayList<>();
    private final List<ImageFile> own = new ArrayList<>();

    private StackContent(Installation installation, Work work) {
        this.installation = installation;
        this.work = work;
    }

    static ImageContent of(Installation installation, String broker, Work work) {
        return new StackContent(installation, work).content(broker);
    }

    private ImageContent content(String broker) {
        Path pluginFolder = installation.builtPlugin(broker);
        String jobPath = ROOT + "/connectors/job/target/";
        own.add(new ImageFile(jobPath + "millrace-job.jar", installation.jobJar()));
        List<String> classPath = List.of(installation.classPath().split(":"));
        Path deployJar = Path.of(classPath.get(0));
        String deployPath = ROOT + "/deploy/target/";
        String deployInside = deployPath + packaged(deployJar).getFileName();
        own.add(new ImageFile(deployInside, deployJar));

        String dependencies = library(classPath.subList(1, classPath.size()));
        text(deployPath + "classpath", dependencies);
        text(
                jobPath + "flink-classpath",
                library(List.of(installation.flinkClassPath().split(":"))));
        text(ROOT + "/java.args", javaArguments(deployInside + ":" + dependencies + benchmarks()));
        plugin(broker, pluginFolder);
        return new ImageContent(
                "millrace",
                "Millrace: job, generator, audit and store, with the plugin of broker " + broker,
                version(deployJar),
                List.of(
                        new ImageLayer("libraries", libraries),
                        new ImageLayer("libraries of the plugin", plugin),
                        new ImageLayer("millrace", own)),
                List.of("@" + ROOT + "/java.args", "--help"));
    }

    /** What measures a stack from within, where it is built; as the end of a class path. */
    private String benchmarks() {
        return installation
                .commands("perf")
                .map(classPath -> ":" + library(List.of(classPath.split(":"))))
                .orElse("");
    }

    /** The version that is in the name of deploy's jar. */
    private static String version(Path deployJar) {
        return deployJar.getFileName().toString().replaceFirst("^millrace-deploy-(.*)\\.jar$", "$1");
    }

    /** The version of what is built in the clone. */
    static String version(Installation installation) {
        return version(Path.of(installation.classPath().split(":")[0]));
    }

    private void plugin(String broker, Path folder) {
        String inside = ROOT + "/brokers/" + broker;
        // Installation knows a broker by this file and reads nothing in it.
        text(inside + "/pom.xml", "<project/>\n");
        for (Path jar : OutsidePlugin.jars(folder)) {
            (isOwn(jar) ? own : plugin).add(new ImageFile(inside + "/target/plugin/" + jar.getFileName(), jar));
        }
    }

    /** The plugin's own jar names the broker; the others are what it needs. */
    private static boolean isOwn(Path jar) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.getEntry(SERVICE) != null;
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + jar + ": " + e.getMessage(), e);
        }
    }

    /** Puts the jars of a class path into the image, and gives the class path there. */
    private String library(List<String> classPath) {
        return String.join(
                ":",
                classPath.stream()
                        .filter(entry -> !entry.isBlank())
                        .map(entry -> library(packaged(Path.of(entry))))
                        .toList());
    }

    private String library(Path jar) {
        String hash = work.hashes().of(jar);
        String known = pathsByHash.get(hash);
        if (known != null) {
            return known;
        }
        String name = jar.getFileName().toString();
        String path = LIB + name;
        if (hashesByPath.containsKey(path)) {
            path = LIB + name.replaceFirst("\\.jar$", "") + "-" + hash.substring(0, 8) + ".jar";
        }
        hashesByPath.put(path, hash);
        pathsByHash.put(hash, path);
        (jar.startsWith(installation.root()) ? own : libraries).add(new ImageFile(path, jar));
        return path;
    }

    private Path packaged(Path jar) {
        if (!Files.isRegularFile(jar)) {
            throw new UserException((Files.isDirectory(jar) ? jar + " is a folder of classes" : "there is no " + jar)
                    + ", and images are made of jars; build them: " + installation.buildCommand("deploy"));
        }
        return jar;
    }

    private void text(String path, String text) {
        own.add(new ImageFile(path, work.text(text)));
    }

    /** The command line's class path and the launcher's flags, as an argument file of java. */
    private static String javaArguments(String classPath) {
        return Stream.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-XX:-UsePerfData",
                        // Of the container that it runs in: a preparation has little and needs little, and an audit has
                        // room for its
                        // devices beside the generator.
                        "-XX:MaxRAMPercentage=66",
                        "-Dmillrace.root=" + ROOT,
                        "-cp",
                        classPath,
                        "dev.millrace.deploy.command.Millrace")
                .collect(java.util.stream.Collectors.joining("\n", "", "\n"));
    }
}
