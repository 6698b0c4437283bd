package dev.millrace.perf.probe;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** How much lies in a folder in which others write and remove files meanwhile. */
public final class FolderSize {
    private FolderSize() {}

    /** The lengths of all files below it, bytes; NaN when it is not there: whose it is keeps it elsewhere, then. */
    public static double bytes(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Double.NaN;
        }
        long[] sum = {0};
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
                    sum[0] += about.size();
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new EnvironmentException("cannot look into " + folder + ": " + e.getMessage(), e);
        }
        return sum[0];
    }
}
