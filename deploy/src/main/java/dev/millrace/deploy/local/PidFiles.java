package dev.millrace.deploy.local;

import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The pid files of a stack, wherever below its run directory those are; what cannot be listed is an EnvironmentException. */
record PidFiles(RunDirectory directory) {
    private static final String ENDING = ".pid";

    /** Those of the stack's processes that are alive. */
    List<ServerProcess> processes() {
        return files().stream()
                .flatMap(file -> ServerProcess.running(name(file), file.getParent()).stream())
                .toList();
    }

    /** Throws UserException when the run directory is a copy of one whose processes are alive: those are not its own. */
    void requireOwn() {
        for (Path file : files()) {
            ServerProcess.copiedFrom(name(file), file.getParent()).ifPresent(original -> {
                throw new UserException(
                        "this run directory (" + directory.path() + ") is a copy of a stack that runs: its "
                                + name(file) + " is that of " + original
                                + "; nothing was done; say it of the original, or delete the copy's folder");
            });
        }
    }

    private static String name(Path file) {
        String name = file.getFileName().toString();
        return name.substring(0, name.length() - ENDING.length());
    }

    private List<Path> files() {
        Path path = directory.path();
        if (Files.isDirectory(path) && !Files.isExecutable(path)) {
            throw new EnvironmentException("cannot list " + path + ": this user may not look into it");
        }
        List<Path> found = new ArrayList<>();
        try {
            // What is somebody else's may be closed to this user: a disk's lost+found.
            for (Path folder : directory.own().filter(Files::isDirectory).toList()) {
                // Pid files are at most this deep; data below (segments, checkpoints) is not searched.
                found.addAll(Folders.files(folder, 3, file -> file.toString().endsWith(ENDING)));
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + path + ": " + e.getMessage(), e);
        }
        return found;
    }
}
