package dev.millrace.deploy.stack;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/** This clone by links, but with a job jar of its own: what a person has who has changed the job and built it. */
final class ShadowClone {
    private ShadowClone() {}

    /** With the same job in a jar of other bytes, so of another SHA-256. */
    static Path withAnotherJobJar(Path folder, Path root) {
        Path jar = link(folder, root);
        try (FileSystem zip = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
            Files.writeString(zip.getPath("META-INF/changed"), "changed");
            return folder;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** With a job jar that is none. */
    static Path withBrokenJobJar(Path folder, Path root) {
        try {
            Files.writeString(link(folder, root), "no jar");
            return folder;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Where the job jar is, a copy that may be changed. */
    private static Path link(Path folder, Path root) {
        try {
            Path command = folder.resolve("deploy/bin/millrace");
            Files.createDirectories(command.getParent());
            Files.copy(root.resolve("deploy/bin/millrace"), command, StandardCopyOption.COPY_ATTRIBUTES);
            Files.createSymbolicLink(folder.resolve("deploy/target"), root.resolve("deploy/target"));
            Files.createSymbolicLink(folder.resolve("brokers"), root.resolve("brokers"));
            Path target = Files.createDirectories(folder.resolve("connectors/job/target"));
            Path built = root.resolve("connectors/job/target");
            Files.copy(built.resolve("flink-classpath"), target.resolve("flink-classpath"));
            return Files.copy(built.resolve("millrace-job.jar"), target.resolve("millrace-job.jar"));
        } catch (IOException e) {
            throw new IllegalStateException("cannot make a clone by links in " + folder, e);
        }
    }
}
