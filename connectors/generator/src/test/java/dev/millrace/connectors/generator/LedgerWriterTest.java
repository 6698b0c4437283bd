package dev.millrace.connectors.generator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.audit.Ledger;
import dev.millrace.core.audit.LedgerFile;
import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.Schedule;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerWriterTest {
    private static final GeneratorSettings SETTINGS = GeneratorSettings.of(1, 10);

    private final Schedule schedule = Schedule.constant(1_700_000_000_000_000L, 500);

    @TempDir
    Path directory;

    @Test
    @DisplayName("that it runs is on disk before anything is sent, also after it was stopped in order")
    void startedAgain() {
        try (LedgerFile file = LedgerFile.open(directory, SETTINGS)) {
            schedule.segments().forEach(file::append);
            LedgerWriter first = writer(file);
            first.start(failure -> {});
            first.end(true);
            assertThat(Ledger.read(directory).state()).isEqualTo(Ledger.State.STOPPED);
            LedgerWriter second = writer(file);
            second.start(failure -> {});
            Ledger.State started = Ledger.read(directory).state();
            second.end(true);
            assertThat(started).isEqualTo(Ledger.State.RUNNING);
        }
    }

    private LedgerWriter writer(LedgerFile file) {
        return new LedgerWriter(file, SETTINGS, schedule, new Acknowledgements(), false, Clock::system);
    }
}
