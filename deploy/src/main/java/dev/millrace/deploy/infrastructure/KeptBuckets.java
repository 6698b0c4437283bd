package dev.millrace.deploy.infrastructure;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Buckets that Terraform was made to forget, in a file beside its state: nobody else knows of them any more, and they are billed.
 * Whether one was deleted since is not known here.
 */
public final class KeptBuckets {
    private static final String FILE = "kept-buckets.txt";

    private final Path file;

    /** Those of a folder of Terraform's. */
    public KeptBuckets(Path folder) {
        file = folder.resolve(FILE);
    }

    /** Remembers one; once more does nothing. */
    public void add(String bucket) {
        if (names().contains(bucket)) {
            return;
        }
        try {
            Files.writeString(file, bucket + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Of all that were kept, the first one first. */
    public List<String> names() {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
