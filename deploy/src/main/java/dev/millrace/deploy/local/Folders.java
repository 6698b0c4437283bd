package dev.millrace.deploy.local;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;

/** Of folders in which others work meanwhile: what they remove is no error, nor is a path that is not there. */
public final class Folders {
    private Folders() {}

    /** The one path of a folder, whatever links lead to it; of what is not there, or not to be seen, the part that is. */
    public static Path real(Path path) {
        Path written = path.toAbsolutePath().normalize();
        for (Path there = written; there != null; there = there.getParent()) {
            try {
                return there.toRealPath().resolve(there.relativize(written));
            } catch (IOException e) {
                // Then the one above it.
            }
        }
        return written;
    }

    /** Removes a folder with all that is in it. */
    public static void delete(Path path) throws IOException {
        Files.walkFileTree(path, new Walk() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes about) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                Files.deleteIfExists(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** The files below a folder, which may be a link, at most so deep, that are wanted; each below the path that was given. */
    static List<Path> files(Path path, int depth, Predicate<Path> wanted) throws IOException {
        List<Path> found = new ArrayList<>();
        Path root = Files.isSymbolicLink(path) ? path.toRealPath() : path;
        Files.walkFileTree(root, EnumSet.noneOf(FileVisitOption.class), depth, new Walk() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
                // At the greatest depth folders come this way too.
                if (about.isRegularFile() && wanted.test(file)) {
                    found.add(path.resolve(root.relativize(file)));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                if (failure != null && !(failure instanceof NoSuchFileException)) {
                    throw failure;
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private abstract static class Walk extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }
    }
}
