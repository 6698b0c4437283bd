package dev.millrace.connectors.generator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.audit.IndexRanges;
import dev.millrace.core.audit.Ledger;
import dev.millrace.core.audit.LedgerFile;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process that died between two lines of the ledger leaves to the next. */
class PaceTest {
    private static final long SECOND = 1_000_000;
    private static final long START = 1_700_000_000 * SECOND;
    private static final long NEXT_MORNING = START + 8 * 3600 * SECOND;

    @TempDir
    Path directory;

    private GeneratorOptions options;

    @BeforeEach
    void bind() {
        options = GeneratorOptions.bind(
                Options.of(Map.of(
                        "broker", "file", "topic", "readings", "rate", "1000", "directory", directory.toString())),
                "test");
    }

    @Test
    void deadBeforeItWroteThatItRunsItDoesNotMakeUpForTheNight() {
        try (LedgerFile file = LedgerFile.open(directory, options.settings())) {
            Pace.begin(options, file, new Schedule(), START);
            Schedule schedule = goOn(file, 0);
            assertThat(schedule.dueBy(NEXT_MORNING - 1)).isZero();
            assertThat(schedule.dueBy(NEXT_MORNING + SECOND - 1)).isEqualTo(1000);
        }
    }

    @Test
    void deadBetweenTheWordPausedAndThePauseItSchedulesNothingForTheNight() {
        try (LedgerFile file = LedgerFile.open(directory, options.settings())) {
            Schedule before = new Schedule();
            Pace.begin(options, file, before, START);
            file.snapshot(new Ledger(
                    options.settings(),
                    before,
                    Ledger.State.PAUSED,
                    (START + SECOND) / 1000,
                    1000,
                    IndexRanges.of(0, 1000),
                    Map.of()));
            Schedule schedule = goOn(file, 1000);
            assertThat(schedule.dueBy(NEXT_MORNING)).isEqualTo(1000);
            assertThat(schedule.last().readingsPerSecond()).isZero();
        }
    }

    private Schedule goOn(LedgerFile file, long next) {
        Ledger ledger = Ledger.read(directory);
        Schedule schedule = ledger.schedule().copy();
        Pace.goOn(options, file, ledger, schedule, next, NEXT_MORNING);
        assertThat(Ledger.read(directory).schedule().segments()).isEqualTo(schedule.segments());
        return schedule;
    }
}
