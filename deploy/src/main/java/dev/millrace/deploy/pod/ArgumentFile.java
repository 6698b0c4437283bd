package dev.millrace.deploy.pod;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** A command line of Java's as a file that {@code java @FILE} takes (JDK tool documentation, "java Command-Line Argument Files"). */
final class ArgumentFile {
    private ArgumentFile() {}

    /** @param command with the path of Java in front, which is left out */
    static void write(Path file, List<String> command) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text(command.subList(1, command.size())));
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** One argument a line, each in quotes, within which a backslash takes what follows as it is. */
    static String text(List<String> arguments) {
        return arguments.stream()
                .map(argument -> "\"" + argument.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n")
                .collect(Collectors.joining());
    }
}
