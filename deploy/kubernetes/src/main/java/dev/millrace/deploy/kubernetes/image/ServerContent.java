package dev.millrace.deploy.kubernetes.image;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The image of a broker's server, out of what the build fetched: a distribution (a folder with {@code lib}) lies in {@code /opt/BROKER}
 * as it is, jars alone lie in {@code /opt/BROKER/lib}.
 */
final class ServerContent {
    private ServerContent() {}

    /** Nothing for a broker without a server of its own. */
    static Optional<ImageContent> of(Installation installation, String broker) {
        Path home = installation.root().resolve("brokers").resolve(broker);
        Path folder = home.resolve("target/server");
        if (!Files.exists(folder.resolve("complete"))) {
            if (Files.exists(home.resolve("server/pom.xml"))) {
                throw new UserException("the server of broker '" + broker + "' is not there (no " + folder
                        + "); fetch it: " + installation.inClone("mvn -q -P " + broker + " package"));
            }
            return Optional.empty();
        }
        return Optional.of(new ImageContent(
                "millrace-" + broker,
                "The server of broker " + broker + ", for Millrace",
                StackContent.version(installation),
                List.of(new ImageLayer("server", files(folder, "/opt/" + broker))),
                List.of("-version")));
    }

    private static List<ImageFile> files(Path folder, String inside) {
        List<Path> distributions = list(folder)
                .filter(one -> Files.isDirectory(one.resolve("lib")))
                .toList();
        if (distributions.size() != 1) {
            return list(folder)
                    .filter(file -> file.toString().endsWith(".jar"))
                    .map(file -> new ImageFile(inside + "/lib/" + file.getFileName(), file))
                    .toList();
        }
        Path root = distributions.get(0);
        try (Stream<Path> all = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> new ImageFile(inside + "/" + root.relativize(file), file, isExecutable(file)))
                    .toList();
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + root + ": " + e.getMessage(), e);
        }
    }

    private static boolean isExecutable(Path file) {
        return Files.isExecutable(file) && !file.toString().endsWith(".jar");
    }

    private static Stream<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList().stream();
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + folder + ": " + e.getMessage(), e);
        }
    }
}
