package dev.millrace.deploy.kubernetes.image;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.deploy.local.Installation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A built clone with two brokers: "one" has a server of loose jars, "two" a server's distribution, and "three" is not built. */
final class TinyClone {
    final Path root;
    private final Path repository;

    TinyClone(Path folder) throws IOException {
        root = folder.resolve("clone");
        repository = folder.resolve("repository");
        write("connectors/job/target/millrace-job.jar", "job");
        jar(root.resolve("deploy/target/millrace-deploy-1.2.jar"), "deploy.class", "deploy");
        Path core = jar(root.resolve("core/target/millrace-core-1.2.jar"), "core.class", "core");
        Path shared = jar(repository.resolve("shared.jar"), "a", "shared");
        Path only = jar(repository.resolve("deploy/same-name.jar"), "a", "deploy's");
        Path other = jar(repository.resolve("flink/same-name.jar"), "a", "Flink's");
        write("deploy/target/classpath", classPath(core, shared, only));
        write("connectors/job/target/flink-classpath", classPath(shared, other));
        for (String broker : new String[] {"one", "two", "three"}) {
            write("brokers/" + broker + "/pom.xml", "<project>not read</project>");
        }
        for (String broker : new String[] {"one", "two"}) {
            Path plugin = root.resolve("brokers/" + broker + "/target/plugin");
            jar(plugin.resolve("own.jar"), "META-INF/services/" + Broker.class.getName(), "some.Class");
            jar(plugin.resolve("client.jar"), "a", "client of " + broker);
        }
        write("brokers/one/target/server/complete", "");
        write("brokers/one/target/server/server.jar", "server");
        write("brokers/two/target/server/complete", "");
        write("brokers/two/target/server/unpacked/some.marker", "");
        write("brokers/two/target/server/server-9.9/lib/server.jar", "server");
        write("brokers/two/target/server/server-9.9/conf/server.conf", "key=value\n");
        write("brokers/two/target/server/server-9.9/bin/start", "run\n");
        if (!root.resolve("brokers/two/target/server/server-9.9/bin/start")
                .toFile()
                .setExecutable(true)) {
            throw new IOException("no executable files here");
        }
    }

    Installation installation() {
        return new Installation(root, Optional.empty());
    }

    void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String classPath(Path... jars) {
        return Stream.of(jars).map(Path::toString).collect(Collectors.joining(":"));
    }

    private static Path jar(Path file, String entry, String text) throws IOException {
        Files.createDirectories(file.getParent());
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            ZipEntry one = new ZipEntry(entry);
            one.setTime(0);
            zip.putNextEntry(one);
            zip.write(text.getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
        }
        return file;
    }

    /** A base with an environment variable and no files. */
    BaseImage base() throws IOException {
        Path file = root.resolveSibling("base.tar");
        if (!Files.exists(file)) {
            base(
                    Containerizer.to(TarImage.at(file).named(Registries.reference("localhost/base:1"))),
                    ImageBuild.architecture());
        }
        return BaseImage.of("tar:" + file);
    }

    /** The same in a registry, for both architectures. */
    BaseImage pushBase(String registry) {
        String reference = registry + "/base:1";
        base(
                Containerizer.to(Registries.image(Registries.reference(reference)))
                        .setAllowInsecureRegistries(true),
                "amd64",
                "arm64");
        return BaseImage.of(reference);
    }

    private void base(Containerizer containerizer, String... architectures) {
        ImageBuild.run(
                Jib.fromScratch()
                        .setPlatforms(Stream.of(architectures)
                                .map(one -> new Platform(one, "linux"))
                                .collect(Collectors.toSet()))
                        .setEnvironment(Map.of("JAVA_HOME", "/java"))
                        .setCreationTime(ImageBuild.TIME),
                containerizer,
                Work.of(installation()),
                "base");
    }
}
