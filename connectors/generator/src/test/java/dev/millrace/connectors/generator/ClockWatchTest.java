package dev.millrace.connectors.generator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.audit.LedgerFile;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockWatchTest {
    private static final long SECOND = 1_000_000;
    private static final long START = 1_700_000_000 * SECOND;

    @TempDir
    Path directory;

    private final Schedule schedule = new Schedule();
    private final TwoTimes clock = new TwoTimes();
    private LedgerFile file;
    private ClockWatch watch;

    @BeforeEach
    void begin() {
        GeneratorOptions options = GeneratorOptions.bind(
                Options.of(Map.of(
                        "broker", "file", "topic", "readings", "rate", "1000", "directory", directory.toString())),
                "test");
        file = LedgerFile.open(directory, options.settings());
        watch = new ClockWatch(clock, Pace.begin(options, file, schedule, START));
    }

    @AfterEach
    void end() {
        file.close();
    }

    @Test
    void aNightThatOnlyTheClockPassedIsAPause() {
        clock.pass(SECOND);
        assertThat(schedule.dueBy(watch.now(0) - 1)).isEqualTo(1000);
        clock.pass(SECOND);
        clock.micros += 8 * 3600 * SECOND;
        assertThat(schedule.dueBy(watch.now(1000) - 1)).isEqualTo(2000);
        clock.pass(SECOND);
        assertThat(schedule.dueBy(watch.now(2000) - 1)).isEqualTo(3000);
    }

    @Test
    void whatBecameDueWhileTheProcessWasHeldUpIsStillDue() {
        clock.pass(100 * SECOND);
        assertThat(schedule.dueBy(watch.now(0) - 1)).isEqualTo(100_000);
        assertThat(schedule.segments()).hasSize(1);
    }

    @Test
    void heldUpBetweenTwoQuestionsIsNoClockThatWasSet() {
        clock.heldUpMicros = 100 * SECOND;
        watch.now(0);
        clock.heldUpMicros = 0;
        assertThat(watch.waiting()).isEmpty();
        assertThat(schedule.dueBy(watch.now(0) - 1)).isEqualTo(100_000);
        assertThat(watch.waiting()).isEmpty();
        assertThat(schedule.segments()).hasSize(1);
    }

    @Test
    void aClockThatRunsFasterIsNotOneThatWasSet() {
        clock.factor = 1000;
        clock.pass(2 * SECOND);
        assertThat(schedule.dueBy(watch.now(0) - 1)).isEqualTo(2_000_000);
        assertThat(schedule.segments()).hasSize(1);
    }

    @Test
    void aClockThatWasSetBackIsToldOfUntilItHasCaughtUp() {
        clock.pass(60 * SECOND);
        watch.now(0);
        clock.micros -= 30 * SECOND;
        watch.now(60_000);
        assertThat(watch.waiting()).isEqualTo("the clock was set back by 30 s; sending goes on when it has caught up");
        clock.pass(29 * SECOND);
        watch.now(60_000);
        assertThat(watch.waiting()).isNotEmpty();
        clock.pass(SECOND);
        watch.now(60_000);
        assertThat(watch.waiting()).isEmpty();
        assertThat(schedule.segments()).hasSize(1);
    }

    /** Stands until it is told that time passed. */
    private static final class TwoTimes implements Clock {
        long micros = START;
        long steadyNanos = -5;
        long factor = 1;
        /** How long the process is held up after it was told the time. */
        long heldUpMicros;

        void pass(long realMicros) {
            micros += realMicros * factor;
            steadyNanos += realMicros * 1000;
        }

        @Override
        public long micros() {
            long told = micros;
            pass(heldUpMicros);
            return told;
        }

        @Override
        public long steadyNanos() {
            return steadyNanos;
        }

        @Override
        public long realMicros(long micros) {
            return micros / factor;
        }
    }
}
