package dev.millrace.perf.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.Turn;
import dev.millrace.perf.scenario.ScenarioFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class GeneratorAloneTest {
    @TempDir
    Path base;

    /** Whose schedule had 5,000 readings per second, of which all but 1 % were accepted. */
    private static Run run() {
        return new Run(
                "01-north",
                "north",
                1,
                "2026-07-20T00:00:00Z",
                List.of(),
                Map.of(Figure.ACCEPTED_RATE, 4950.0),
                List.of(),
                "equal",
                true,
                Map.of(),
                Map.of("rateShare", 0.99),
                List.of(),
                "",
                List.of());
    }

    @Test
    void aGeneratorThatIsAloneNotTwiceAsFastMakesARunInvalid() {
        Run judged = GeneratorAlone.judge(run(), OptionalDouble.of(9_900));
        assertThat(judged.reasons())
                .containsExactly("the generator alone sends 9,900 readings/s, less than 2 times the run's 5,000:"
                        + " it may be what was measured");
        assertThat(judged.evidence()).containsEntry("generatorAloneTimesRate", 1.98);
    }

    @Test
    void aGeneratorThatIsAloneTwiceAsFastMakesNone() {
        Run judged = GeneratorAlone.judge(run(), OptionalDouble.of(10_000.1));
        assertThat(judged.isValid()).isTrue();
        assertThat(judged.evidence()).containsKey("generatorAloneTimesRate");
    }

    @Test
    void whereItIsNotKnownNothingIsAsked() {
        assertThat(GeneratorAlone.judge(run(), OptionalDouble.empty())).isEqualTo(run());
    }

    @Test
    void aRunWithoutARateStaysAsItIs() {
        Run interrupted = new Turn("01-north", "north", 1, 1, 1, OptionalLong.empty(), null).interrupted();
        assertThat(GeneratorAlone.judge(interrupted, OptionalDouble.of(1)).reasons())
                .isEqualTo(interrupted.reasons());
    }

    @Test
    @Tag("server")
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void theRealOneSendsToTheFloorAndLeavesNothing() {
        Installation here = Installation.here();
        String floor = ScenarioFile.load(here.root().resolve("perf/scenarios"), "quick")
                .floor();
        StackSettings settings =
                StackSettings.bind("test", Options.of(Map.of("broker", floor, "rate", "1000", "devices", "100")));
        Path folder = base.resolve("alone");
        OptionalDouble perSecond = new GeneratorAlone(here, floor, settings, folder, new Interruption()).perSecond();
        assertThat(perSecond.orElseThrow()).isPositive();
        assertThat(folder).doesNotExist();
    }

    @Test
    @Tag("server")
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aPersonWhoEndsTheBenchmarkEndsItToo() {
        Installation here = Installation.here();
        String floor = ScenarioFile.load(here.root().resolve("perf/scenarios"), "quick")
                .floor();
        StackSettings settings = StackSettings.bind("test", Options.of(Map.of("broker", floor, "rate", "1000")));
        Path folder = base.resolve("ended");
        Interruption interruption = new Interruption();
        interruption.ask();
        assertThat(new GeneratorAlone(here, floor, settings, folder, interruption).perSecond())
                .isEmpty();
        assertThat(folder).doesNotExist();
    }
}
