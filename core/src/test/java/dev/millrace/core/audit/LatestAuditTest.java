package dev.millrace.core.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.reading.Position;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.ReadingEncoder;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.WindowSettings;
import dev.millrace.core.window.DeadLetter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The audit of latest times")
class LatestAuditTest {
    private static final long START_MILLIS = 1_700_000_000_000L;
    private static final int READINGS = 20_000;
    private static final WindowSettings WINDOW = WindowSettings.tumbling(Duration.ofSeconds(10), Duration.ofSeconds(5));
    private static final GeneratorSettings SETTINGS = new GeneratorSettings(1, 20, 0, 300, 1, 0.1, 0, 5000);
    private static final GeneratorSettings WITH_LATE = new GeneratorSettings(1, 20, 0, 300, 1, 0.1, 0.02, 5000);
    private static final long END = Long.MAX_VALUE;

    @TempDir
    Path folder;

    private final Schedule schedule = Schedule.constant(START_MILLIS * 1000, 500);
    private final ReadingGenerator withLate = new ReadingGenerator(WITH_LATE, schedule);
    private final List<DeadLetter> letters = new ArrayList<>();

    @Test
    @DisplayName(
            "passes what is in the ledger, however many devices it takes at a time, to the end or to a time before it")
    void passes() {
        List<LatestTime> rows = rows(SETTINGS, END, i -> true);
        for (int devicesAtOnce : new int[] {1, 7, 20, 1000}) {
            AuditResult result = audit(SETTINGS, END, Long.MIN_VALUE, devicesAtOnce, rows);
            assertThat(result.ok()).as(result.table()).isTrue();
            assertThat(result.rowsChecked()).isEqualTo(rows.size()).isGreaterThan(3900);
            assertThat(result.readingsChecked()).isEqualTo(READINGS);
            assertThat(result.devicesChecked()).isEqualTo(20);
        }
        long half = START_MILLIS + 20_000;
        assertThat(audit(SETTINGS, half, rows(SETTINGS, half, i -> true)).ok()).isTrue();
        assertThat(audit(SETTINGS, half + 9_999, rows(SETTINGS, half, i -> true))
                        .ok())
                .isTrue();
        // The job goes on: some rows are newer than what is known to be complete.
        assertThat(audit(SETTINGS, half, rows(SETTINGS, half + 10_000, i -> true))
                        .ok())
                .isTrue();
        assertThat(audit(SETTINGS, half + 10_000, rows(SETTINGS, half, i -> true))
                        .ok())
                .isFalse();
        assertThat(audit(SETTINGS, END, rows).table()).contains("latest times checked");
        assertThat(audit(SETTINGS, END, rows).sentence()).contains(rows.size() + " latest times of 20 devices checked");
    }

    @Test
    @DisplayName("finds a reading that was lost or counted twice, also when it was not the newest")
    void lostAndDoubled() {
        AuditResult lost = audit(SETTINGS, END, rows(SETTINGS, END, i -> i != 4_321));
        assertThat(lost.readingsLost()).isEqualTo(1);
        assertThat(lost.different() + lost.missing()).isEqualTo(1);
        List<LatestTime> rows = rows(SETTINGS, END, i -> true);
        LatestTime row = rows.get(77);
        rows.set(77, new LatestTime(row.deviceId(), row.eventType(), row.latest(), row.readings() + 1, row.asOf()));
        AuditResult doubled = audit(SETTINGS, END, rows);
        assertThat(doubled.readingsDoubled()).isEqualTo(1);
        assertThat(doubled.examples())
                .singleElement()
                .asString()
                .contains(row.deviceId() + " " + row.eventType(), "readings " + row.readings() + " -> ");
        assertThat(doubled.ok()).isFalse();
    }

    @Test
    @DisplayName("finds a wrong time, a row that is missing, one too many and one of nobody")
    void rowsThatAreWrong() {
        List<LatestTime> rows = rows(SETTINGS, END, i -> true);
        LatestTime row = rows.get(77);
        rows.set(77, new LatestTime(row.deviceId(), row.eventType(), row.latest() - 1, row.readings(), row.asOf()));
        assertThat(audit(SETTINGS, END, rows).different()).isEqualTo(1);
        rows.remove(77);
        assertThat(audit(SETTINGS, END, rows).missing()).isEqualTo(1);
        assertThat(audit(SETTINGS, END, rows).readingsLost()).isEqualTo(row.readings());
        rows.add(77, row);
        rows.add(77, row);
        rows.add(new LatestTime("device-0000019", "event-2000", 1, 1, 2));
        rows.add(new LatestTime("device-0000020", row.eventType(), 1, 1, 2));
        AuditResult result = audit(SETTINGS, END, rows);
        assertThat(result.surplus()).isEqualTo(3);
        assertThat(result.missing() + result.different()).isZero();
        assertThat(audit(SETTINGS, END, List.of()).missing()).isGreaterThan(3900);
    }

    @Test
    @DisplayName("counts late readings as the dead letters say, and before they are there leaves them open")
    void late() {
        List<LatestTime> rows = rows(WITH_LATE, END, this::onTime);
        assertThat(audit(WITH_LATE, END, rows).readingsLost()).isGreaterThan(300);
        long settled = START_MILLIS - 40_000;
        assertThat(audit(WITH_LATE, settled, rows).ok()).isTrue();
        ReadingGenerator generator = new ReadingGenerator(WITH_LATE, schedule);
        for (int i = 0; i < READINGS; i++) {
            if (!onTime(i)) {
                letters.add(letter(generator, i, i));
            }
        }
        AuditResult result = audit(WITH_LATE, END, rows);
        assertThat(result.ok()).as(result.table()).isTrue();
        assertThat(result.late()).isEqualTo(letters.size());
        assertThat(result.lateWithinBound()).isZero();

        int inTime =
                IntStream.range(0, READINGS).filter(this::onTime).findFirst().orElseThrow();
        letters.add(letter(generator, inTime, READINGS));
        AuditResult thrownOut = audit(WITH_LATE, END, rows);
        assertThat(thrownOut.lateWithinBound()).isEqualTo(1);
        assertThat(thrownOut.ok()).isFalse();
        letters.remove(letters.size() - 1);

        letters.add(letters.get(letters.size() - 1));
        assertThat(audit(WITH_LATE, END, rows).deadLettersDoubled()).isEqualTo(1);
        DeadLetter last = letters.remove(letters.size() - 1);
        letters.add(new DeadLetter(last.reason(), 1, last.position(), last.eventTime(), last.payload()));
        assertThat(audit(WITH_LATE, END, rows).examples()).anyMatch(words -> words.contains("another position"));
        letters.set(letters.size() - 1, new DeadLetter(last.reason(), 1, last.position(), 0, new byte[] {1}));
        assertThat(audit(WITH_LATE, END, rows).examples()).anyMatch(words -> words.contains("no reading"));
    }

    @Test
    @DisplayName("knows of late readings whose letters the store has dropped only that they may be in no row")
    void lettersThatAreGone() {
        List<LatestTime> rows = rows(WITH_LATE, END, this::onTime);
        ReadingGenerator generator = new ReadingGenerator(WITH_LATE, schedule);
        long from = START_MILLIS + 20_000;
        for (int i = 0; i < READINGS; i++) {
            DeadLetter letter = letter(generator, i, i);
            if (!onTime(i) && letter.eventTime() >= from) {
                letters.add(letter);
            }
        }
        assertThat(letters).isNotEmpty();
        AuditResult result = auditOfLetters(from, rows);
        assertThat(result.ok()).as(result.table()).isTrue();
        assertThat(auditOfLetters(Long.MIN_VALUE, rows).readingsLost()).isPositive();
        // What cannot have been late is counted as ever.
        LatestTime first = rows.get(0);
        rows.set(
                0,
                new LatestTime(
                        first.deviceId(), first.eventType(), first.latest(), first.readings() - 2, first.asOf()));
        assertThat(auditOfLetters(from, rows).readingsLost()).isPositive();
    }

    @Test
    @DisplayName("does not know what the broker had dropped before the job began anew")
    void wholeFrom() {
        long from = START_MILLIS + 20_000;
        List<LatestTime> rows = rows(SETTINGS, END, i -> i >= 12_000);
        assertThat(audit(SETTINGS, END, rows).ok()).isFalse();
        assertThat(audit(SETTINGS, END, from, 20, rows).missing()).isPositive();
        assertThat(audit(SETTINGS, END, from + 9_000, 20, rows).ok()).isTrue();
    }

    @Test
    @DisplayName("cannot pass with a reading whose fate is unknown, nor when nothing was checked, and refuses disorder")
    void cannotPass() {
        List<LatestTime> rows = rows(SETTINGS, END, i -> i != 300);
        Ledger open = new Ledger(
                SETTINGS, schedule, Ledger.State.STOPPED, 0, READINGS, IndexRanges.of(0, 300, 301, READINGS), Map.of());
        LatestAudit audit = new LatestAudit(() -> open, WINDOW, END, Long.MIN_VALUE, Long.MIN_VALUE, folder);
        rows.forEach(audit::latestTime);
        AuditResult result = audit.finish();
        assertThat(result.open()).isEqualTo(1);
        assertThat(result.different() + result.missing()).isZero();
        assertThat(result.ok()).isFalse();
        assertThat(audit(SETTINGS, START_MILLIS - 10_000, List.of()).sentence()).contains("checked nothing");
        LatestAudit disorder = new LatestAudit(() -> open, WINDOW, END, Long.MIN_VALUE, Long.MIN_VALUE, folder, 1);
        disorder.latestTime(rows.get(rows.size() - 1));
        assertThatThrownBy(() -> disorder.latestTime(rows.get(0))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName(
            "takes rows without a look at the ledger, since a store does not wait for that; what waits leaves no file")
    void takesRowsAtOnce() throws IOException {
        List<LatestTime> rows = rows(SETTINGS, END, i -> true);
        // Whoever walks this one does not come back.
        Ledger endless = new Ledger(
                SETTINGS, schedule, Ledger.State.RUNNING, 0, Long.MAX_VALUE, IndexRanges.of(0, READINGS), Map.of());
        LatestAudit audit = new LatestAudit(() -> endless, WINDOW, END, Long.MIN_VALUE, Long.MIN_VALUE, folder, 1);
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> rows.forEach(audit::latestTime));
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    @DisplayName("says where rows cannot wait")
    void noRoomForRows() {
        List<LatestTime> rows = rows(SETTINGS, END, i -> true);
        Ledger ledger = new Ledger(
                SETTINGS, schedule, Ledger.State.STOPPED, 0, READINGS, IndexRanges.of(0, READINGS), Map.of());
        Path missing = folder.resolve("missing");
        LatestAudit audit = new LatestAudit(() -> ledger, WINDOW, END, Long.MIN_VALUE, Long.MIN_VALUE, missing, 1);
        assertThatThrownBy(() -> rows.forEach(audit::latestTime))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("cannot wait in a file in " + missing);
    }

    private AuditResult audit(GeneratorSettings settings, long completeTo, List<LatestTime> rows) {
        return audit(settings, completeTo, Long.MIN_VALUE, 1000, rows);
    }

    private AuditResult auditOfLetters(long lettersFrom, List<LatestTime> rows) {
        return audit(WITH_LATE, END, Long.MIN_VALUE, lettersFrom, 1000, rows);
    }

    private AuditResult audit(
            GeneratorSettings settings, long completeTo, long wholeFrom, int devicesAtOnce, List<LatestTime> rows) {
        return audit(settings, completeTo, wholeFrom, Long.MIN_VALUE, devicesAtOnce, rows);
    }

    private AuditResult audit(
            GeneratorSettings settings,
            long completeTo,
            long wholeFrom,
            long lettersFrom,
            int devicesAtOnce,
            List<LatestTime> rows) {
        Ledger ledger = new Ledger(
                settings, schedule, Ledger.State.STOPPED, 0, READINGS, IndexRanges.of(0, READINGS), Map.of());
        LatestAudit audit =
                new LatestAudit(() -> ledger, WINDOW, completeTo, wholeFrom, lettersFrom, folder, devicesAtOnce);
        letters.forEach(audit::deadLetter);
        rows.forEach(audit::latestTime);
        return audit.finish();
    }

    /** What the job would have written of the slices that end by {@code to}. */
    private List<LatestTime> rows(GeneratorSettings settings, long to, LongPredicate in) {
        ReadingGenerator generator = new ReadingGenerator(settings, schedule);
        Reading reading = new Reading();
        TreeMap<String, LatestTime> rows = new TreeMap<>();
        for (int i = 0; i < READINGS; i++) {
            generator.values(i, reading);
            long end = WINDOW.sliceEnd(reading.eventTime);
            if (in.test(i) && end <= to) {
                String device = settings.deviceId(generator.device(i));
                rows.merge(
                        device + reading.eventType,
                        new LatestTime(device, reading.eventType, reading.eventTime, 1, end),
                        (a, b) -> new LatestTime(
                                device,
                                a.eventType(),
                                Math.max(a.latest(), b.latest()),
                                a.readings() + 1,
                                Math.max(a.asOf(), b.asOf())));
            }
        }
        return new ArrayList<>(rows.values());
    }

    private boolean onTime(long index) {
        Reading reading = new Reading();
        withLate.values(index, reading);
        return reading.intendedSendTime / 1000 - reading.eventTime <= 5000;
    }

    private static DeadLetter letter(ReadingGenerator generator, long index, long position) {
        Reading reading = new Reading();
        generator.reading(index, reading);
        byte[] payload = new ReadingEncoder().encode(reading);
        return new DeadLetter(DeadLetter.Reason.LATE, 0, new Position(0, position), reading.eventTime, payload);
    }
}
