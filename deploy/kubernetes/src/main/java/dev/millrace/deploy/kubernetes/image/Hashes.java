package dev.millrace.deploy.kubernetes.image;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;

/** Hashes of files, kept between two builds by path, size and time: hundreds of megabytes need not be read to find that nothing changed. */
final class Hashes {
    private final Path file;
    /** Hash by "size time path". */
    private final Map<String, String> known = new TreeMap<>();

    private boolean changed;

    private Hashes(Path file) {
        this.file = file;
    }

    static Hashes in(Path file) {
        Hashes hashes = new Hashes(file);
        try {
            if (Files.exists(file)) {
                Files.readAllLines(file).stream()
                        .filter(line -> line.matches("[0-9a-f]{64} .+"))
                        .forEach(line -> hashes.known.put(line.substring(65), line.substring(0, 64)));
            }
            return hashes;
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** A file's SHA-256 in hexadecimal. */
    String of(Path content) {
        String key;
        try {
            key = Files.size(content) + " "
                    + Files.getLastModifiedTime(content).to(java.util.concurrent.TimeUnit.NANOSECONDS) + " "
                    + content.toAbsolutePath();
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + content + ": " + e.getMessage(), e);
        }
        return known.computeIfAbsent(key, unknown -> {
            changed = true;
            return Sha256.of(content);
        });
    }

    /** Keeps what was found; entries of files that are gone or were replaced are left out. */
    void save() {
        if (!changed) {
            return;
        }
        known.keySet().removeIf(key -> !Files.exists(Path.of(key.split(" ", 3)[2])));
        StringBuilder text = new StringBuilder();
        known.forEach((key, hash) -> text.append(hash).append(' ').append(key).append('\n'));
        try {
            Files.createDirectories(file.getParent());
            Path draft = Files.createTempFile(file.getParent(), "hashes", ".new");
            Files.writeString(draft, text);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
