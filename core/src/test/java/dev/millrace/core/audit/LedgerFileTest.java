package dev.millrace.core.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerFileTest {
    private static final GeneratorSettings SETTINGS = new GeneratorSettings(-5, 20, 1.25, 300, 0.5, 0.1, 0.01, 5000);

    @TempDir
    Path directory;

    private final Schedule schedule = Schedule.constant(1_700_000_000_000_000L, 500);

    @Test
    void whatWasWrittenIsReadBackWhileTheWriterGoesOn() {
        try (LedgerFile file = begun()) {
            Ledger ledger = ledger(IndexRanges.of(0, 10, 12, 15), 20);
            file.snapshot(ledger);
            Ledger read = Ledger.read(directory);
            assertThat(read.settings()).isEqualTo(SETTINGS);
            assertThat(read.schedule().segments()).isEqualTo(schedule.segments());
            assertThat(read.acknowledged()).isEqualTo(IndexRanges.of(0, 10, 12, 15));
            assertThat(read.open()).isEqualTo(IndexRanges.of(10, 12, 15, 20));
            assertThat(read.readBackFrom()).isEqualTo(Map.of(0, new Position(3, 4), 2, new Position(0, 9)));
            assertThat(read.state()).isEqualTo(Ledger.State.PAUSED);
            assertThat(read.writtenMillis()).isEqualTo(77);
            file.append(schedule.change(1_700_000_001_000_000L, 0));
            assertThat(Ledger.read(directory).schedule().segments()).hasSize(2);
        }
    }

    @Test
    void whatATopicHasOfOtherGeneratorsIsReadBackToo() {
        GeneratorSettings one = new GeneratorSettings(7, 20, 40, 60, 0, 300, 1, 0.1, 0, 5000);
        LedgerFile.open(directory, one).close();
        assertThat(Ledger.read(directory).settings()).isEqualTo(one);
    }

    @Test
    void aLedgerWithoutSnapshotHasNothingAcknowledged() {
        begun().close();
        assertThat(Ledger.read(directory).acknowledged()).isEqualTo(IndexRanges.none());
    }

    @Test
    void aKillInTheMiddleOfAnAppendLosesAtMostThatSegment() throws IOException {
        LedgerFile file = begun();
        Path log = directory.resolve("schedule.log");
        long whole = Files.size(log);
        file.append(schedule.change(1_700_000_001_000_000L, 700));
        file.close();
        byte[] bytes = Files.readAllBytes(log);
        for (int length = (int) whole; length < bytes.length; length++) {
            Files.write(log, Arrays.copyOf(bytes, length));
            assertThat(Ledger.read(directory).schedule().segments()).hasSize(1);
            try (LedgerFile again = LedgerFile.open(directory, SETTINGS)) {
                Schedule read = Ledger.read(directory).schedule();
                again.append(read.change(1_700_000_002_000_000L, 900));
                assertThat(Ledger.read(directory).schedule().segments()).isEqualTo(read.segments());
            }
        }
    }

    @Test
    void aKillBeforeTheSnapshotIsInPlaceLeavesTheOneBefore() throws IOException {
        try (LedgerFile file = begun()) {
            file.snapshot(ledger(IndexRanges.of(0, 10), 10));
            Files.writeString(directory.resolve("acknowledged.new"), "half a sna");
            assertThat(Ledger.read(directory).acknowledged()).isEqualTo(IndexRanges.of(0, 10));
            file.snapshot(ledger(IndexRanges.of(0, 30), 30));
            assertThat(Ledger.read(directory).acknowledged()).isEqualTo(IndexRanges.of(0, 30));
        }
    }

    @Test
    void aSnapshotCutOffByAPowerCutIsSaidAndNeverTrusted() throws IOException {
        try (LedgerFile file = begun()) {
            file.snapshot(ledger(IndexRanges.of(0, 10, 12, 15), 20));
        }
        Path snapshot = directory.resolve("acknowledged");
        byte[] bytes = Files.readAllBytes(snapshot);
        for (int length = 0; length < bytes.length; length++) {
            Files.write(snapshot, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> Ledger.read(directory))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("is damaged");
        }
    }

    @Test
    void aLineThatIsDamagedBeforeOthersIsSaidAndNothingBehindItDropped() throws IOException {
        try (LedgerFile file = begun()) {
            file.append(schedule.change(1_700_000_001_000_000L, 700));
            file.append(schedule.change(1_700_000_002_000_000L, 900));
        }
        Path log = directory.resolve("schedule.log");
        byte[] bytes = Files.readAllBytes(log);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        bytes[text.indexOf(" 700")] ^= 1;
        Files.write(log, bytes);
        assertThatThrownBy(() -> Ledger.read(directory))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("schedule.log is damaged");
        assertThatThrownBy(() -> LedgerFile.open(directory, SETTINGS)).isInstanceOf(EnvironmentException.class);
        assertThat(log).hasBinaryContent(bytes);
    }

    @Test
    void twoGeneratorsOnOneLedgerAreRefused() {
        LedgerFile first = begun();
        assertThatThrownBy(() -> LedgerFile.open(directory, SETTINGS))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("another generator is writing");
        first.close();
        LedgerFile.open(directory, SETTINGS).close();
    }

    @Test
    void otherSettingsThanTheLedgersAreRefused() {
        begun().close();
        assertThatThrownBy(() -> LedgerFile.open(directory, GeneratorSettings.of(1, 20)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("begun with other settings")
                .hasMessageContaining("seed=-5");
        LedgerFile.open(directory, SETTINGS).close();
    }

    @Test
    void aDirectoryWithoutLedgerIsSaid() {
        assertThatThrownBy(() -> Ledger.read(directory.resolve("none")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no ledger");
    }

    @Test
    void rangesKnowWhatTheyHoldAndWhatIsMissing() {
        IndexRanges ranges = IndexRanges.of(2, 4, 6, 7);
        assertThat(ranges.count()).isEqualTo(3);
        assertThat(ranges.end()).isEqualTo(7);
        for (long i = 0; i < 9; i++) {
            assertThat(ranges.contains(i)).isEqualTo(i == 2 || i == 3 || i == 6);
        }
        assertThat(ranges.missingBelow(3)).isEqualTo(IndexRanges.of(0, 2));
        assertThat(ranges.missingBelow(9)).isEqualTo(IndexRanges.of(0, 2, 4, 6, 7, 9));
        assertThat(IndexRanges.none().missingBelow(5)).isEqualTo(IndexRanges.of(0, 5));
        assertThat(IndexRanges.of(0, 5).missingBelow(5)).isEqualTo(IndexRanges.none());
        assertThatThrownBy(() -> IndexRanges.of(3, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> IndexRanges.of(3, 5, 5, 6)).isInstanceOf(IllegalArgumentException.class);
    }

    private LedgerFile begun() {
        LedgerFile file = LedgerFile.open(directory, SETTINGS);
        schedule.segments().forEach(file::append);
        return file;
    }

    private Ledger ledger(IndexRanges acknowledged, long offeredTo) {
        return new Ledger(
                SETTINGS,
                schedule,
                Ledger.State.PAUSED,
                77,
                offeredTo,
                acknowledged,
                Map.of(0, new Position(3, 4), 2, new Position(0, 9)));
    }
}
