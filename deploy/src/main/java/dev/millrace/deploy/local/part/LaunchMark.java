package dev.millrace.deploy.local.part;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * With what a process was last started, as a hash (settings may hold secrets): so that who takes over a living process knows
 * whether it is the one that is wanted. Written when the old one is gone and before the new one is there: whoever dies in
 * between leaves no process that runs with something else than its mark says.
 */
record LaunchMark(Path file) {

    static LaunchMark of(RunDirectory directory, String process) {
        return new LaunchMark(directory.supervisorFolder().resolve(process + ".launch"));
    }

    /** Whether the last start was with something else, or is not known. */
    boolean differs(String launch) {
        try {
            return !Files.isRegularFile(file) || !Files.readString(file).equals(Sha256.of(launch));
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    void write(String launch) {
        PropertiesFile.replace(file, Sha256.of(launch));
    }
}
