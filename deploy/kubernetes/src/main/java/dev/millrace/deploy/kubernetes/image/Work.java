package dev.millrace.deploy.kubernetes.image;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The folder that images are made in: the layers that were made before, bases of this machine, files that exist in images only.
 * Everything in it can be removed at any time between two builds.
 */
record Work(Path folder, Hashes hashes) {
    static Work of(Installation installation) {
        return in(installation.root().resolve("deploy/kubernetes/target/image-work"));
    }

    static Work in(Path folder) {
        return new Work(folder, Hashes.in(folder.resolve("hashes")));
    }

    Path layers() {
        return folder.resolve("layers");
    }

    Path bases() {
        return folder.resolve("bases");
    }

    /** A file with this text; the same text is the same file, so that its layer is found again. */
    Path text(String text) {
        Path file = folder.resolve("texts").resolve(new Sha256().add(text).hex());
        try {
            if (!Files.exists(file)) {
                Files.createDirectories(file.getParent());
                Path draft = Files.createTempFile(file.getParent(), "text", ".new");
                Files.write(draft, text.getBytes(StandardCharsets.UTF_8));
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            }
            return file;
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
