package dev.millrace.core.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.reading.Position;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.ReadingEncoder;
import dev.millrace.core.settings.WindowSettings;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditTest {
    private static final long START_MILLIS = 1_700_000_000_000L;
    private static final int READINGS = 20_000;
    private static final WindowSettings TUMBLING =
            WindowSettings.tumbling(Duration.ofSeconds(10), Duration.ofSeconds(5));
    private static final GeneratorSettings SETTINGS = new GeneratorSettings(1, 20, 0, 300, 1, 0.1, 0, 5000);
    private static final GeneratorSettings WITH_LATE = new GeneratorSettings(1, 20, 0, 300, 1, 0.1, 0.02, 5000);

    private final Schedule schedule = Schedule.constant(START_MILLIS * 1000, 500);
    private final List<DeadLetter> deadLetters = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {10_000, 5_000, 2_500, 4_000, 3_000})
    void whatIsExactlyInTheLedgerPasses(long slideMillis) {
        WindowSettings window =
                new WindowSettings(Duration.ofSeconds(10), Duration.ofMillis(slideMillis), Duration.ofSeconds(5));
        AuditResult result = audit(ledger(SETTINGS), window, rows(SETTINGS, window, i -> true));
        assertThat(result.ok()).as(result.table()).isTrue();
        assertThat(result.devicesChecked()).isEqualTo(20);
        assertThat(result.rowsChecked()).isGreaterThanOrEqualTo(80);
        assertThat(result.sentence()).startsWith("The store holds exactly what the ledger says");
        if (slideMillis == 10_000) {
            assertThat(result.readingsChecked()).isEqualTo(READINGS);
        }
    }

    @Test
    void aPartOfTheWindowsCanBeAudited() {
        List<DeviceWindow> rows = rows(SETTINGS, TUMBLING, i -> true);
        long from = START_MILLIS + 10_000;
        long to = START_MILLIS + 30_000;
        Audit audit = new Audit(ledger(SETTINGS), TUMBLING, from, to);
        rows.stream().filter(r -> r.windowEnd() > from && r.windowEnd() <= to).forEach(audit::window);
        AuditResult result = audit.finish();
        assertThat(result.ok()).as(result.table()).isTrue();
        assertThat(result.rowsChecked()).isEqualTo(40);
    }

    @Test
    void readingsThatAreNotAcknowledgedAreNotExpected() {
        Ledger ledger = new Ledger(
                SETTINGS, schedule, Ledger.State.STOPPED, 0, 0, IndexRanges.of(0, 500, 800, 20_000), Map.of());
        List<DeviceWindow> rows = rows(SETTINGS, TUMBLING, i -> i < 500 || i >= 800);
        AuditResult result = audit(ledger, TUMBLING, rows);
        assertThat(result.different() + result.missing() + result.surplus()).isZero();
        assertThat(result.open()).isEqualTo(300);
        assertThat(audit(ledger, TUMBLING, rows(SETTINGS, TUMBLING, i -> true)).readingsDoubled())
                .isEqualTo(300);
    }

    @Test
    void aMissingWindowIsFound() {
        List<DeviceWindow> rows = rows(SETTINGS, TUMBLING, i -> true);
        DeviceWindow gone = rows.remove(50);
        AuditResult result = audit(ledger(SETTINGS), TUMBLING, rows);
        assertThat(result.ok()).isFalse();
        assertThat(result.missing()).isEqualTo(1);
        assertThat(result.readingsLost()).isEqualTo(gone.values().readings);
        assertThat(result.examples()).singleElement().asString().contains(gone.deviceId());
    }

    @Test
    void theLastWindowMissingIsFound() {
        List<DeviceWindow> rows = rows(SETTINGS, TUMBLING, i -> true);
        rows.remove(rows.size() - 1);
        assertThat(audit(ledger(SETTINGS), TUMBLING, rows).missing()).isEqualTo(1);
    }

    @Test
    void aRowTooManyIsFound() {
        List<DeviceWindow> rows = rows(SETTINGS, TUMBLING, i -> true);
        rows.add(51, rows.get(50));
        AuditResult twice = audit(ledger(SETTINGS), TUMBLING, rows);
        assertThat(twice.surplus()).isEqualTo(1);
        assertThat(twice.ok()).isFalse();

        List<DeviceWindow> foreign = rows(SETTINGS, TUMBLING, i -> true);
        DeviceWindow row = foreign.get(3);
        foreign.add(4, new DeviceWindow("device-0000020", row.windowStart(), row.windowEnd(), row.values()));
        assertThat(audit(ledger(SETTINGS), TUMBLING, foreign).surplus()).isEqualTo(1);

        List<DeviceWindow> beside = rows(SETTINGS, TUMBLING, i -> true);
        DeviceWindow last = beside.get(beside.size() - 1);
        beside.add(new DeviceWindow(last.deviceId(), last.windowEnd(), last.windowEnd() + 10_000, last.values()));
        assertThat(audit(ledger(SETTINGS), TUMBLING, beside).surplus()).isEqualTo(1);
    }

    @Test
    void ofSeveralGeneratorsEachLedgerAnswersForItsOwnDevices() {
        GeneratorSettings first = new GeneratorSettings(1, 12, 0, 20, 0, 300, 1, 0.1, 0, 5000);
        GeneratorSettings second = new GeneratorSettings(1, 8, 12, 20, 0, 300, 1, 0.1, 0, 5000);
        List<DeviceWindow> all = new ArrayList<>(rows(first, TUMBLING, i -> true));
        all.addAll(rows(second, TUMBLING, i -> true));
        all.sort(Comparator.comparingLong(DeviceWindow::windowEnd));
        AuditResult ofFirst = audit(ledger(first), TUMBLING, all);
        AuditResult ofSecond = audit(ledger(second), TUMBLING, all);
        assertThat(ofFirst.ok()).as(ofFirst.table()).isTrue();
        assertThat(ofSecond.ok()).as(ofSecond.table()).isTrue();
        assertThat(ofFirst.devicesChecked()).isEqualTo(12);
        assertThat(ofSecond.devicesChecked()).isEqualTo(8);
        assertThat(ofFirst.rowsChecked() + ofSecond.rowsChecked()).isEqualTo(all.size());

        DeviceWindow gone = all.stream()
                .filter(row -> second.deviceNumber(row.deviceId()) == 3)
                .findFirst()
                .orElseThrow();
        all.remove(gone);
        all.add(
                0,
                new DeviceWindow(
                        "device-0000020", gone.windowStart(), all.get(0).windowEnd(), gone.values()));
        assertThat(audit(ledger(first), TUMBLING, all).missing()).isZero();
        assertThat(audit(ledger(first), TUMBLING, all).surplus()).isEqualTo(1);
        assertThat(audit(ledger(second), TUMBLING, all).missing()).isEqualTo(1);
        assertThat(audit(ledger(second), TUMBLING, all).surplus()).isEqualTo(1);
    }

    @Test
    void ofSeveralGeneratorsEachAnswersForItsOwnLateReadings() {
        GeneratorSettings first = new GeneratorSettings(1, 12, 0, 20, 0, 300, 1, 0.1, 0, 5000);
        GeneratorSettings second = new GeneratorSettings(1, 8, 12, 20, 0, 300, 1, 0.1, 0, 5000);
        // The second was behind, and found that the first had moved the watermark on.
        List<DeviceWindow> all = new ArrayList<>(rows(first, TUMBLING, i -> true));
        all.addAll(rows(second, TUMBLING, i -> i != 5000));
        all.sort(Comparator.comparingLong(DeviceWindow::windowEnd));
        deadLetters.add(late(new ReadingGenerator(second, schedule), 5000, 1));
        AuditResult ofFirst = audit(ledger(first), TUMBLING, all);
        AuditResult ofSecond = audit(ledger(second), TUMBLING, all);
        assertThat(ofFirst.ok()).as(ofFirst.table()).isTrue();
        assertThat(ofFirst.late()).isZero();
        assertThat(ofSecond.ok()).as(ofSecond.table()).isTrue();
        assertThat(ofSecond.late()).isEqualTo(1);
        deadLetters.clear();
        assertThat(audit(ledger(second), TUMBLING, all).readingsLost()).isEqualTo(1);
    }

    @Test
    void aReadingCountedTwiceIsFound() {
        List<DeviceWindow> rows = rows(SETTINGS, TUMBLING, i -> true);
        Reading reading = new Reading();
        new ReadingGenerator(SETTINGS, schedule).reading(7_777, reading);
        DeviceWindow its = rows.stream()
                .filter(r -> r.deviceId().equals(reading.deviceId)
                        && r.windowStart() <= reading.eventTime
                        && r.windowEnd() > reading.eventTime)
                .findFirst()
                .orElseThrow();
        its.values().add(reading);
        AuditResult result = audit(ledger(SETTINGS), TUMBLING, rows);
        assertThat(result.different()).isEqualTo(1);
        assertThat(result.readingsDoubled()).isEqualTo(1);
        assertThat(result.examples().get(0)).contains("readings ").contains("temperature.sum");
    }

    @Test
    void aReadingLostIsFound() {
        AuditResult result = audit(ledger(SETTINGS), TUMBLING, rows(SETTINGS, TUMBLING, i -> i != 4_321));
        assertThat(result.different()).isEqualTo(1);
        assertThat(result.readingsLost()).isEqualTo(1);
        assertThat(result.ok()).isFalse();
    }

    @Test
    void everyFieldChangedByOneBitIsFoundAndNamed() {
        List<Consumer<Accumulator>> changes = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int m = 0; m < 8; m++) {
            int measure = m;
            changes.add(a -> a.min[measure] = flip(a.min[measure]));
            changes.add(a -> a.max[measure] = flip(a.max[measure]));
            changes.add(a -> a.sum[measure] = flip(a.sum[measure]));
            names.addAll(List.of(".min", ".max", ".sum"));
        }
        changes.add(a -> a.firstSequence ^= 1);
        changes.add(a -> a.lastSequence ^= 1);
        changes.add(a -> a.errorCount ^= 1);
        changes.add(a -> a.packetsSent ^= 1);
        changes.add(a -> a.packetsReceived ^= 1);
        changes.add(a -> a.bytesSent ^= 1);
        changes.add(a -> a.bytesReceived ^= 1);
        changes.add(a -> a.statusReadings[3] ^= 1);
        changes.add(a -> a.latestIntendedSendTime ^= 1);
        names.addAll(
                List.of("firstSequence", "lastSequence", "errorCount", "packetsSent", "packetsReceived", "bytesSent"));
        names.addAll(List.of("bytesReceived", "statusReadings.ERROR", "latestIntendedSendTime"));
        for (int i = 0; i < changes.size(); i++) {
            List<DeviceWindow> rows = rows(SETTINGS, TUMBLING, index -> true);
            changes.get(i).accept(rows.get(30).values());
            AuditResult result = audit(ledger(SETTINGS), TUMBLING, rows);
            assertThat(result.different()).isEqualTo(1);
            assertThat(result.ok()).isFalse();
            assertThat(result.examples())
                    .singleElement()
                    .asString()
                    .contains(names.get(i))
                    .doesNotContain(", ");
        }
    }

    @Test
    void aWrongWindowStartIsFound() {
        List<DeviceWindow> rows = rows(SETTINGS, TUMBLING, i -> true);
        DeviceWindow row = rows.get(9);
        rows.set(9, new DeviceWindow(row.deviceId(), row.windowStart() + 1, row.windowEnd(), row.values()));
        assertThat(audit(ledger(SETTINGS), TUMBLING, rows).different()).isEqualTo(1);
    }

    @Test
    void anAuditThatCheckedNothingFails() {
        AuditResult result = audit(
                new Ledger(SETTINGS, schedule, Ledger.State.RUNNING, 0, 0, IndexRanges.none(), Map.of()),
                TUMBLING,
                List.of());
        assertThat(result.ok()).isFalse();
        assertThat(result.sentence()).contains("checked nothing");
    }

    @Test
    void aSendWhoseFateIsUnknownFailsTheAudit() {
        Ledger ledger = new Ledger(
                SETTINGS, schedule, Ledger.State.STOPPED, 0, 20_000, IndexRanges.of(0, 999, 1000, 20_000), Map.of());
        AuditResult result = audit(ledger, TUMBLING, rows(SETTINGS, TUMBLING, i -> i != 999));
        assertThat(result.open()).isEqualTo(1);
        assertThat(result.different()).isZero();
        assertThat(result.ok()).isFalse();
        assertThat(result.sentence()).contains("fate of 1 reading is unknown");
    }

    @Test
    void aSendInFlightBehindTheAuditedWindowsIsNoProblem() {
        Ledger ledger =
                new Ledger(SETTINGS, schedule, Ledger.State.RUNNING, 0, 20_010, IndexRanges.of(0, 20_000), Map.of());
        List<DeviceWindow> rows = rows(SETTINGS, TUMBLING, i -> true);
        long to = START_MILLIS + 30_000;
        Audit audit = new Audit(ledger, TUMBLING, Long.MIN_VALUE, to);
        rows.stream().filter(r -> r.windowEnd() <= to).forEach(audit::window);
        assertThat(audit.finish().ok()).isTrue();
    }

    @Test
    void rowAndLateDeadLettersTogetherAreTheLedger() {
        List<DeviceWindow> rows = rowsWithLate(WITH_LATE);
        assertThat(deadLetters).hasSizeGreaterThan(100);
        AuditResult result = audit(ledger(WITH_LATE), TUMBLING, rows);
        assertThat(result.ok()).as(result.table()).isTrue();
        assertThat(result.late()).isEqualTo(deadLetters.size());
        assertThat(result.readingsChecked()).isEqualTo(READINGS);
    }

    @Test
    void aWindowWhoseReadingsAreAllLateNeedsNoRow() {
        GeneratorSettings allLate = new GeneratorSettings(1, 20, 0, 300, 1, 0, 1, 5000);
        ReadingGenerator generator = new ReadingGenerator(allLate, schedule);
        for (int i = 0; i < 1000; i++) {
            deadLetters.add(late(generator, i, i));
        }
        Ledger ledger = new Ledger(allLate, schedule, Ledger.State.STOPPED, 0, 1000, IndexRanges.of(0, 1000), Map.of());
        AuditResult result = audit(ledger, TUMBLING, List.of());
        assertThat(result.ok()).as(result.table()).isTrue();
        assertThat(result.readingsChecked()).isEqualTo(1000);
    }

    @Test
    void amongOtherGeneratorsLettersAloneAreNothingChecked() {
        GeneratorSettings one = new GeneratorSettings(1, 20, 0, 40, 0, 300, 1, 0, 0, 5000);
        ReadingGenerator generator = new ReadingGenerator(one, schedule);
        for (int i = 0; i < 1000; i++) {
            deadLetters.add(late(generator, i, i));
        }
        Ledger ledger = new Ledger(one, schedule, Ledger.State.STOPPED, 0, 1000, IndexRanges.of(0, 1000), Map.of());
        AuditResult result = audit(ledger, TUMBLING, List.of());
        assertThat(result.rowsChecked()).isZero();
        assertThat(result.ok()).isFalse();
    }

    @Test
    void aReadingWithinTheBoundMustNotBeLateWhereOthersMay() {
        ReadingGenerator generator = new ReadingGenerator(WITH_LATE, schedule);
        LongPredicate onTime = withinBound(generator);
        // The job throws out every tenth of those that came in time, too.
        for (int i = 0; i < READINGS; i++) {
            if (!onTime.test(i) || i % 10 == 0) {
                deadLetters.add(late(generator, i, i));
            }
        }
        long inTime = LongStream.range(0, READINGS)
                .filter(i -> i % 10 == 0 && onTime.test(i))
                .count();
        AuditResult result =
                audit(ledger(WITH_LATE), TUMBLING, rows(WITH_LATE, TUMBLING, i -> onTime.test(i) && i % 10 != 0));
        assertThat(result.missing() + result.surplus() + result.different()).isZero();
        assertThat(result.lateWithinBound()).isEqualTo(inTime).isPositive();
        assertThat(result.ok()).isFalse();
        assertThat(result.sentence()).isEqualTo(inTime + " readings came late although within the job's bound.");
    }

    @Test
    void aLateReadingWithoutDeadLetterIsLost() {
        List<DeviceWindow> rows = rowsWithLate(WITH_LATE);
        deadLetters.remove(20);
        AuditResult result = audit(ledger(WITH_LATE), TUMBLING, rows);
        assertThat(result.readingsLost()).isEqualTo(1);
        assertThat(result.ok()).isFalse();
    }

    @Test
    void aDeadLetterThatIsThereTwiceIsFound() {
        List<DeviceWindow> rows = rowsWithLate(WITH_LATE);
        deadLetters.add(21, deadLetters.get(20));
        AuditResult result = audit(ledger(WITH_LATE), TUMBLING, rows);
        assertThat(result.deadLettersDoubled()).isEqualTo(1);
        assertThat(result.ok()).isFalse();
    }

    @Test
    void aReadingBothInAWindowAndAmongTheLateIsDoubled() {
        List<DeviceWindow> rows = rows(WITH_LATE, TUMBLING, i -> true);
        deadLetters.add(late(new ReadingGenerator(WITH_LATE, schedule), 5000, 1));
        AuditResult result = audit(ledger(WITH_LATE), TUMBLING, rows);
        assertThat(result.readingsDoubled()).isEqualTo(1);
        assertThat(result.ok()).isFalse();
    }

    @Test
    void lateReadingsOfAGeneratorWithinTheBoundFail() {
        List<DeviceWindow> rows = rows(SETTINGS, TUMBLING, i -> i != 5000);
        deadLetters.add(late(new ReadingGenerator(SETTINGS, schedule), 5000, 1));
        AuditResult result = audit(ledger(SETTINGS), TUMBLING, rows);
        assertThat(result.different()).isZero();
        assertThat(result.ok()).isFalse();
        assertThat(result.sentence()).contains("came late although");
    }

    @Test
    void undecodablePayloadsOfOthersAreCountedAndHarmless() {
        deadLetters.add(new DeadLetter(DeadLetter.Reason.UNDECODABLE, 0, new Position(0, 1), 0, new byte[] {1, 2}));
        AuditResult result = audit(ledger(SETTINGS), TUMBLING, rows(SETTINGS, TUMBLING, i -> true));
        assertThat(result.undecodable()).isEqualTo(1);
        assertThat(result.ok()).isTrue();
    }

    @Test
    void aLateDeadLetterThatIsNoReadingIsFound() {
        deadLetters.add(new DeadLetter(DeadLetter.Reason.LATE, 0, new Position(0, 1), 0, new byte[] {1, 2}));
        AuditResult result = audit(ledger(WITH_LATE), TUMBLING, rows(WITH_LATE, TUMBLING, i -> true));
        assertThat(result.different()).isEqualTo(1);
        assertThat(result.examples().get(0)).contains("dead letter 0/0:1 is no reading");
    }

    @Test
    void rowsOutOfOrderAreRefused() {
        List<DeviceWindow> rows = rows(SETTINGS, TUMBLING, i -> true);
        Collections.reverse(rows);
        assertThatThrownBy(() -> audit(ledger(SETTINGS), TUMBLING, rows)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aResultTopicMayRepeatRowsAndContradictsItselfOnlyWhereReadingsMayBeLate() {
        List<DeviceWindow> rows = rows(SETTINGS, TUMBLING, i -> true);
        Collections.shuffle(rows, new java.util.Random(1));
        ResultTopic topic = new ResultTopic();
        rows.forEach(topic::add);
        rows.subList(0, 30).forEach(topic::add);
        Audit audit = new Audit(ledger(SETTINGS), TUMBLING, Long.MIN_VALUE, Long.MAX_VALUE);
        topic.windows(Long.MIN_VALUE, Long.MAX_VALUE, false, audit::window);
        assertThat(audit.finish().ok()).isTrue();
        assertThat(topic.repeated()).isEqualTo(30);
        assertThat(topic.rows()).isEqualTo(rows.size());

        DeviceWindow row = rows.get(0);
        Accumulator other = row.values().copy();
        other.errorCount++;
        topic.add(new DeviceWindow(row.deviceId(), row.windowStart(), row.windowEnd(), other));
        Audit again = new Audit(ledger(SETTINGS), TUMBLING, Long.MIN_VALUE, Long.MAX_VALUE);
        topic.windows(Long.MIN_VALUE, Long.MAX_VALUE, false, again::window);
        assertThat(again.finish().surplus()).isEqualTo(1);
        assertThat(topic.superseded()).isEqualTo(1);
        Audit ofLast = new Audit(ledger(SETTINGS), TUMBLING, Long.MIN_VALUE, Long.MAX_VALUE);
        topic.windows(Long.MIN_VALUE, Long.MAX_VALUE, true, ofLast::window);
        assertThat(ofLast.finish().different()).isEqualTo(1);
        topic.add(row);
        Audit whole = new Audit(ledger(SETTINGS), TUMBLING, Long.MIN_VALUE, Long.MAX_VALUE);
        topic.windows(Long.MIN_VALUE, Long.MAX_VALUE, true, whole::window);
        assertThat(whole.finish().ok()).isTrue();
    }

    @Test
    void theTableNamesEveryFigure() {
        AuditResult result = audit(ledger(SETTINGS), TUMBLING, rows(SETTINGS, TUMBLING, i -> true));
        assertThat(result.table())
                .contains("windows checked", "missing", "surplus", "different", "readings lost", "late", "open");
        assertThat(result.asMap()).containsEntry("ok", true).containsEntry("missing", 0L);
    }

    private AuditResult audit(Ledger ledger, WindowSettings window, List<DeviceWindow> rows) {
        Audit audit = new Audit(ledger, window, Long.MIN_VALUE, Long.MAX_VALUE);
        deadLetters.forEach(audit::deadLetter);
        rows.forEach(audit::window);
        return audit.finish();
    }

    private Ledger ledger(GeneratorSettings settings) {
        return new Ledger(settings, schedule, Ledger.State.STOPPED, 0, READINGS, IndexRanges.of(0, READINGS), Map.of());
    }

    /** What the job would write, put together with the job's own accumulator. */
    private List<DeviceWindow> rows(GeneratorSettings settings, WindowSettings window, LongPredicate in) {
        ReadingGenerator generator = new ReadingGenerator(settings, schedule);
        TreeMap<Long, TreeMap<String, Accumulator>> windows = new TreeMap<>();
        Reading reading = new Reading();
        for (int i = 0; i < READINGS; i++) {
            if (!in.test(i)) {
                continue;
            }
            generator.reading(i, reading);
            for (long end = window.firstWindowEnd(window.sliceEnd(reading.eventTime));
                    end - window.sizeMillis() <= reading.eventTime;
                    end += window.slideMillis()) {
                windows.computeIfAbsent(end, e -> new TreeMap<>())
                        .computeIfAbsent(reading.deviceId, d -> new Accumulator())
                        .add(reading);
            }
        }
        List<DeviceWindow> rows = new ArrayList<>();
        windows.forEach((end, devices) -> devices.forEach(
                (device, values) -> rows.add(new DeviceWindow(device, end - window.sizeMillis(), end, values))));
        rows.sort(Comparator.comparingLong(DeviceWindow::windowEnd).thenComparing(DeviceWindow::deviceId));
        return rows;
    }

    /** Rows without the readings beyond the bound, which become dead letters. */
    private List<DeviceWindow> rowsWithLate(GeneratorSettings settings) {
        ReadingGenerator generator = new ReadingGenerator(settings, schedule);
        LongPredicate onTime = withinBound(generator);
        for (int i = 0; i < READINGS; i++) {
            if (!onTime.test(i)) {
                deadLetters.add(late(generator, i, i));
            }
        }
        return rows(settings, TUMBLING, onTime);
    }

    /** Of a reading's index; that of a job with TUMBLING. */
    private static LongPredicate withinBound(ReadingGenerator generator) {
        Reading reading = new Reading();
        return i -> {
            generator.reading(i, reading);
            return reading.intendedSendTime / 1000 - reading.eventTime <= 5000;
        };
    }

    private static DeadLetter late(ReadingGenerator generator, long index, long position) {
        Reading reading = new Reading();
        generator.reading(index, reading);
        byte[] payload = new ReadingEncoder().encode(reading);
        return new DeadLetter(DeadLetter.Reason.LATE, 0, new Position(0, position), reading.eventTime, payload);
    }

    private static double flip(double value) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(value) ^ 1);
    }
}
