package dev.millrace.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportsTest {
    @TempDir
    Path folder;

    private static Stream<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
        }
    }

    @Test
    void writesFourFilesAndLeavesOthersAlone() throws IOException {
        Path results = folder.resolve("new/results");
        Files.createDirectories(results);
        Files.writeString(results.resolve("result.json"), "kept");
        Files.writeString(results.resolve("report.html"), "old");
        assertThat(Reports.write(MadeUp.result(), results)).isEqualTo(results.resolve("report.html"));
        assertThat(names(results))
                .containsExactly("report.html", "report.md", "result.json", "runs.csv", "samples.csv");
        assertThat(results.resolve("report.html")).content().startsWith("<!DOCTYPE html>");
        assertThat(results.resolve("result.json")).hasContent("kept");
    }

    @Test
    void aFailureLeavesWhatWasThereAndNoDraft() throws IOException {
        Files.writeString(folder.resolve("runs.csv"), "old");
        Files.createDirectory(folder.resolve("report.html.new"));
        Files.writeString(folder.resolve("report.html.new/in-the-way"), "");
        assertThatThrownBy(() -> Reports.write(MadeUp.result(), folder))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(folder.toString());
        assertThat(folder.resolve("runs.csv")).hasContent("old");
        assertThat(names(folder)).containsExactly("report.html.new", "runs.csv");
    }
}
