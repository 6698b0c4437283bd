package dev.millrace.perf.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilledStackTest {
    @TempDir
    Path directory;

    @Test
    void whatADrainLeftIsKeptOutsideTheStackAndNamed() throws Exception {
        List<String> said = new ArrayList<>();
        try (FilledStack stack = new FilledStack("any", directory, said::add)) {
            Path drain = Files.createDirectories(stack.drains().resolve("3-ours"));
            Files.writeString(drain.resolve("drain.properties"), "settings");
            stack.keep(drain);
            assertThat(drain).doesNotExist();
        }
        assertThat(said).singleElement().asString().contains("kept in " + directory.resolve("results/any-3-ours-"));
        Path kept = Path.of(said.get(0).replaceAll(".*kept in |: what.*", ""));
        assertThat(kept.resolve("drain.properties")).hasContent("settings");
    }
}
