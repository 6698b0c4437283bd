package dev.millrace.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line in a process of its own, with an output that cannot be written. */
class StandardOutputTest {
    @TempDir
    Path base;

    private record Outcome(int exitCode, String err) {}

    @ParameterizedTest
    @EnabledOnOs(OS.LINUX) // has /dev/full
    @DisplayName("output to a full disk is a sentence and the exit code of the machine's failures")
    @ValueSource(strings = {"completion", "logs", "logs --follow"})
    void aFullDisk(String command) throws Exception {
        Outcome outcome = run(command, process(command).redirectOutput(new File("/dev/full")), false);
        assertThat(outcome.err()).matches("millrace: cannot write to standard output: .+\\R");
        assertThat(outcome.exitCode()).isEqualTo(Millrace.ENVIRONMENT_ERROR);
    }

    @ParameterizedTest
    @DisplayName("a reader that has gone, as head does, is no failure and ends a command that would go on")
    @ValueSource(strings = {"completion", "logs", "logs --follow"})
    void aClosedPipe(String command) throws Exception {
        Outcome outcome = run(command, process(command), true);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
    }

    /** A shell that becomes the command when it is told to begin: by then its output is as the test wants it. */
    private ProcessBuilder process(String command) throws IOException {
        Path logs = Files.createDirectories(base.resolve("some/logs"));
        Files.writeString(logs.resolve("broker.log"), "a line\n");
        String arguments = command.startsWith("logs") ? command + " --run-dir " + base : command;
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", "read -r begin && exec \"$@\"", "millrace"));
        line.addAll(MillraceProcess.line(arguments.split(" ")));
        return new ProcessBuilder(line).redirectError(base.resolve("err.txt").toFile());
    }

    private Outcome run(String command, ProcessBuilder builder, boolean withoutReader) throws Exception {
        Process process = builder.start();
        try {
            if (withoutReader) {
                process.getInputStream().close();
            }
            try (var begin = process.getOutputStream()) {
                begin.write("\n".getBytes(StandardCharsets.UTF_8));
            }
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as(command + " ends")
                    .isTrue();
            return new Outcome(process.exitValue(), MillraceProcess.said(base.resolve("err.txt")));
        } finally {
            process.destroyForcibly();
        }
    }
}
