package dev.millrace.perf.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.perf.result.BaselineFigure;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineBaselineTest {
    @TempDir
    Path folder;

    @Test
    void hasEveryFigureOfTheMachineAndLeavesNothing() {
        Map<BaselineFigure, Double> baseline = MachineBaseline.of(folder);
        assertThat(baseline)
                .containsOnlyKeys(
                        BaselineFigure.FSYNC_P50,
                        BaselineFigure.FSYNC_P99,
                        BaselineFigure.SEQUENTIAL_WRITE,
                        BaselineFigure.ROUND_TRIP_P50,
                        BaselineFigure.ROUND_TRIP_P99,
                        BaselineFigure.LOOPBACK);
        assertThat(baseline.values())
                .allSatisfy(value -> assertThat(value).isPositive().isFinite());
        assertThat(baseline.get(BaselineFigure.FSYNC_P99))
                .isGreaterThanOrEqualTo(baseline.get(BaselineFigure.FSYNC_P50));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderThatIsNotThereIsASentence() {
        assertThatThrownBy(() -> MachineBaseline.of(folder.resolve("none")))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageStartingWith("cannot measure the disk of " + folder.resolve("none"));
    }
}
