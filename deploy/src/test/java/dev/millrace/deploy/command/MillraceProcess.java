package dev.millrace.deploy.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of this build in a process of its own. */
final class MillraceProcess {
    private MillraceProcess() {}

    /** What starts it. */
    static List<String> line(String... arguments) {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dmillrace.root=" + System.getProperty("millrace.root", ""),
                "-cp",
                System.getProperty("java.class.path"),
                Millrace.class.getName()));
        line.addAll(List.of(arguments));
        return line;
    }

    /** What it wrote into a file, without what Java says of its environment. */
    static String said(Path file) throws IOException {
        return Files.readString(file).replaceAll("(?m)^Picked up JAVA_TOOL_OPTIONS.*\\R", "");
    }
}
