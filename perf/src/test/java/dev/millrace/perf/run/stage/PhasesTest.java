package dev.millrace.perf.run.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhasesTest {
    private static final Instant ENDS = Instant.parse("2026-11-21T03:15:00Z");

    @TempDir
    Path base;

    @Test
    void whoLooksIsToldWhichPhaseItIsAndItsEndWhereThatIsKnown() throws IOException {
        RunDirectory directory = RunDirectory.of(base, "river");
        Files.createDirectories(directory.path());
        try (Sampler sampler = new Sampler(directory, new LocalProcesses(Optional.empty()), Phases.WARM_UP)) {
            Phases phases =
                    new Phases(directory, new Turn("03-north", "north", 1, 3, 11, OptionalLong.empty(), ENDS), sampler);
            phases.lasts(Phases.WARM_UP, Duration.ofSeconds(30));
            Map<String, String> told = told(directory);
            assertThat(told)
                    .containsEntry("run", "3")
                    .containsEntry("runs", "11")
                    .containsEntry("subject", "river")
                    .containsEntry("phase", "warm-up")
                    .containsEntry("ends", ENDS.toString());
            assertThat(Duration.between(Instant.parse(told.get("phase-began")), Instant.parse(told.get("phase-ends"))))
                    .isEqualTo(Duration.ofSeconds(30));
            phases.begin(Phases.SETTLE);
            assertThat(told(directory)).containsEntry("phase", "settle").doesNotContainKey("phase-ends");
        }
    }

    private static Map<String, String> told(RunDirectory directory) {
        return PropertiesFile.read(directory.benchmarkFile()).orElseThrow();
    }
}
