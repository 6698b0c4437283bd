package dev.millrace.perf.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunWordsTest {
    @TempDir
    Path folder;

    private final StringWriter log = new StringWriter();
    private final PrintWriter out = new PrintWriter(log);

    private static Run run() {
        return Run.unmeasured("01-north", "north", 1, "2026-11-23T09:00:00Z", "because \"so\"")
                .with(Figure.CPU_BROKER, 12.5)
                .with(Map.of(), Map.of("memoryPeakMiB", Double.NaN), java.util.List.of(), java.util.List.of());
    }

    @Test
    void aRunComesOutAsItWentIn() {
        out.println("Picked up JAVA_TOOL_OPTIONS: ...");
        RunWords.says(out, "warm-up, 2 s left");
        RunWords.run(out, run());
        assertThat(RunWords.run(log.toString())).contains(run());
        assertThat(RunWords.newest(log.toString())).contains("warm-up, 2 s left");
        assertThat(RunWords.forPeople(log.toString()))
                .isEqualTo("Picked up JAVA_TOOL_OPTIONS: ...\nwarm-up, 2 s left\n");
    }

    @Test
    void aLogThatBrokeOffHasNoRun() {
        RunWords.says(out, "measure");
        assertThat(RunWords.run(log.toString())).isEmpty();
        assertThat(RunWords.run("")).isEmpty();
        assertThat(RunWords.newest("")).isEmpty();
    }

    @Test
    void filesAreWrittenIntoTheFolderAndNowhereElse() throws IOException {
        byte[] content = {0, 1, 2, '\n', (byte) 200};
        Path file = Files.write(folder.resolve("01-north.hlog"), content);
        RunWords.file(out, file);
        Path to = Files.createDirectory(folder.resolve("to"));
        RunWords.files(log.toString() + "#file ../../escaped.txt AAAA\n", to);
        assertThat(to.resolve("01-north.hlog")).hasBinaryContent(content);
        assertThat(to.resolve("escaped.txt")).exists();
        assertThat(folder.resolve("escaped.txt")).doesNotExist();
    }
}
