package dev.millrace.perf.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.probe.ProcessUse;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.run.stage.SendLatency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredTest {
    @TempDir
    Path folder;

    /** At {@code seconds}, when a thousand readings a second were accepted and processed. */
    private static Mark mark(int seconds, double writtenBytes, MachineUse machine) {
        OptionalDouble readings = OptionalDouble.of(seconds * 1000);
        return new Mark(
                seconds * 1000L,
                seconds * 1_000_000_000L,
                readings,
                readings,
                readings,
                OptionalDouble.of(0),
                Map.of(StackState.BROKER, new ProcessUse(Duration.ofSeconds(seconds), Double.NaN, writtenBytes)),
                machine);
    }

    private Measured measured(Mark from, Mark to, Map<String, Double> residentMiB) throws IOException {
        Path log = Files.createFile(folder.resolve("none.hlog"));
        return new Measured(
                from,
                to,
                StackSettings.bind(
                        "test", Options.of(Map.of("broker", "north", "rate", "1000", "payload-bytes", "300"))),
                1000,
                List.of(),
                residentMiB,
                SendLatency.read(log, from.millis(), to.millis()),
                List.of());
    }

    @Test
    @DisplayName("what no system tells of processes and machine is no figure, and no 0 in the evidence")
    void unknown() throws IOException {
        Measured measured =
                measured(mark(0, Double.NaN, MachineUse.UNKNOWN), mark(10, Double.NaN, MachineUse.UNKNOWN), Map.of());
        assertThat(measured.figures())
                .containsEntry(Figure.CPU_BROKER, 1000.0)
                .doesNotContainKeys(Figure.MEMORY_BROKER, Figure.MEMORY_TOTAL, Figure.DISK_WRITTEN_BROKER);
        assertThat(measured.evidence(true, OptionalLong.empty()).asMap())
                .containsEntry("stolenShare", Double.NaN)
                .containsEntry("swappedPages", Double.NaN);
    }

    @Test
    @DisplayName("a 0 that was told is one")
    void nothing() throws IOException {
        MachineUse began = new MachineUse(100, 0, 50, 0, 7);
        MachineUse ended = new MachineUse(200, 0, 90, 0, 7);
        Measured measured = measured(mark(0, 4096, began), mark(10, 4096, ended), Map.of(StackState.BROKER, 5.0));
        assertThat(measured.figures())
                .containsEntry(Figure.MEMORY_BROKER, 5.0)
                .containsEntry(Figure.DISK_WRITTEN_BROKER, 0.0);
        assertThat(measured.evidence(true, OptionalLong.empty()).asMap())
                .containsEntry("stolenShare", 0.0)
                .containsEntry("swappedPages", 0.0);
    }
}
