package dev.millrace.deploy.local;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Files and folders that nobody but their owner may look into, where the file system knows owners. */
public final class OwnerOnly {
    private static final boolean KNOWN =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private OwnerOnly() {}

    /** Makes an empty file; there must be none. */
    static Path file(Path file) throws IOException {
        return KNOWN
                ? Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                : Files.createFile(file);
    }

    /** Closes a folder that is there. */
    public static void folder(Path folder) throws IOException {
        if (KNOWN) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
    }
}
