package dev.millrace.deploy.local;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Files that hold one number. */
public final class NumberFile {
    private NumberFile() {}

    /** Empty when it is not there. */
    public static OptionalLong read(Path file) {
        try {
            return Files.isRegularFile(file)
                    ? OptionalLong.of(Long.parseLong(Files.readString(file).trim()))
                    : OptionalLong.empty();
        } catch (IOException | NumberFormatException e) {
            throw new EnvironmentException("cannot read a number from " + file + ": " + e.getMessage(), e);
        }
    }

    public static void write(Path file, long number) {
        PropertiesFile.replace(file, number + "\n");
    }
}
