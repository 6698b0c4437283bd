package dev.millrace.deploy.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchmarkNoteTest {
    private static final Instant BEGAN = Instant.parse("2026-11-21T03:00:00Z");
    private static final BenchmarkNote MEASURE =
            new BenchmarkNote(3, 11, "river", "measure", BEGAN, BEGAN.plusSeconds(30), BEGAN.plusSeconds(900));
    private static final BenchmarkNote SETTLE =
            new BenchmarkNote(3, 11, "river", "settle", BEGAN.plusSeconds(30), null, null);

    @TempDir
    Path base;

    private RunDirectory directory;

    @BeforeEach
    void stack() throws IOException {
        directory = RunDirectory.of(base, "river");
        Files.createDirectories(directory.path());
    }

    @Test
    void eachPhaseReplacesTheOneBefore() {
        assertThat(BenchmarkNote.in(directory)).isEmpty();
        MEASURE.leaveIn(directory);
        assertThat(BenchmarkNote.in(directory)).contains(MEASURE);
        SETTLE.leaveIn(directory);
        assertThat(BenchmarkNote.in(directory)).contains(SETTLE);
    }

    @Test
    void theTextSaysUntilWhenWhereThatIsKnown() {
        assertThat(MEASURE.text())
                .isEqualTo("run 3 of 11, measure until 2026-11-21T03:00:30Z, all until about 2026-11-21T03:15:00Z");
        assertThat(SETTLE.text()).isEqualTo("run 3 of 11, settle since 2026-11-21T03:00:30Z");
    }

    @ParameterizedTest
    @CsvSource({"pid,4194305", "pid,-1", "pid,", "run,many", "phase-ends,soon"})
    void whatNoLivingProcessSaysOrMakesNoSenseIsNoNote(String key, String value) {
        MEASURE.leaveIn(directory);
        Map<String, String> values =
                PropertiesFile.read(directory.benchmarkFile()).orElseThrow();
        values.put(key, value == null ? "" : value);
        PropertiesFile.write(directory.benchmarkFile(), values);
        assertThat(BenchmarkNote.in(directory)).isEmpty();
    }
}
