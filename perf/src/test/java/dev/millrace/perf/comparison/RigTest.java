package dev.millrace.perf.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.result.BaselineFigure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RigTest {
    @TempDir
    Path folder;

    @Test
    void withoutAFloorItSaysThatTheGeneratorIsNotKnown() {
        List<String> progress = new ArrayList<>();
        Rig rig = Rig.measure(folder, Optional.empty(), progress::add);
        assertThat(rig.baseline())
                .containsKey(BaselineFigure.FSYNC_P99)
                .doesNotContainKey(BaselineFigure.GENERATOR_ALONE);
        assertThat(rig.caveats())
                .containsExactly(
                        "It is not known whether the generator could have been the bottleneck: the scenario names"
                                + " no floor broker to measure it with, or its plugin is not built.");
        assertThat(progress).hasSize(1);
    }

    @Test
    void aDiskThatCannotBeMeasuredEndsNothingAndIsSaid() {
        Rig rig = Rig.measure(folder.resolve("none"), Optional.empty(), line -> {});
        assertThat(rig.baseline()).isEmpty();
        assertThat(rig.caveats()).hasSize(2).first().asString().startsWith("The machine has no baseline: cannot");
    }
}
