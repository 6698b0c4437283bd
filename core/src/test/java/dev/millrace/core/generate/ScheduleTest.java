package dev.millrace.core.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final long START = 1_700_000_000_123_456L;

    @Test
    void timesAreExactHoweverFarTheStreamHasCome() {
        Schedule schedule = Schedule.constant(START, 3333);
        long far = 1_000_000_000_000L;
        BigInteger exact = BigInteger.valueOf(far)
                .multiply(BigInteger.valueOf(1_000_000))
                .divide(BigInteger.valueOf(3333))
                .add(BigInteger.valueOf(START));
        assertThat(schedule.timeMicros(far)).isEqualTo(exact.longValueExact());
        assertThat(schedule.timeMicros(0)).isEqualTo(START);
    }

    @Test
    void whatIsDueIsTheInverseOfTheTimes() {
        Random random = new Random(3);
        for (long rate : new long[] {1, 3, 7, 999, 1_000_000, 3_333_333}) {
            Schedule schedule = Schedule.constant(START, rate);
            for (int k = 0; k < 1000; k++) {
                long index = random.nextLong(1, 1_000_000_000_000L);
                long time = schedule.timeMicros(index);
                assertThat(schedule.dueBy(time)).isGreaterThan(index);
                assertThat(schedule.dueBy(time - 1)).isLessThanOrEqualTo(index);
            }
        }
        assertThat(Schedule.constant(START, 10).dueBy(START - 1)).isZero();
        assertThat(Schedule.constant(START, 10).dueBy(START)).isEqualTo(1);
    }

    @Test
    void anotherRateLeavesWhatWasScheduledBeforeAsItWas() {
        Schedule schedule = Schedule.constant(START, 10);
        long before = schedule.timeMicros(9);
        schedule.change(START + 1_000_000, 100);
        assertThat(schedule.timeMicros(9)).isEqualTo(before);
        assertThat(schedule.timeMicros(10)).isEqualTo(START + 1_000_000);
        assertThat(schedule.timeMicros(11)).isEqualTo(START + 1_010_000);
        assertThat(schedule.dueBy(START + 1_999_999)).isEqualTo(110);
    }

    @Test
    void aPauseSchedulesNothingAndResumingGoesOnWithTheNextReading() {
        Schedule schedule = Schedule.constant(START, 10);
        schedule.change(START + 1_000_000, 0);
        assertThat(schedule.dueBy(START + 3_600_000_000L)).isEqualTo(10);
        assertThat(schedule.timeMicros(10)).isEqualTo(Long.MAX_VALUE);
        schedule.change(START + 60_000_000, 10);
        assertThat(schedule.timeMicros(9)).isEqualTo(START + 900_000);
        assertThat(schedule.timeMicros(10)).isEqualTo(START + 60_000_000);
    }

    @Test
    void timesNeverGoBackOverManyChanges() {
        Schedule schedule = Schedule.constant(START, 10);
        Random random = new Random(3);
        long now = START;
        for (int k = 0; k < 500; k++) {
            now += random.nextLong(2_000_000);
            schedule.change(now, random.nextInt(4) == 0 ? 0 : random.nextLong(1, 1000));
        }
        schedule.change(now + 1, 1);
        long previous = 0;
        long due = schedule.dueBy(now);
        for (long i = 0; i < due; i++) {
            long time = schedule.timeMicros(i);
            assertThat(time).isGreaterThanOrEqualTo(previous);
            assertThat(schedule.dueBy(time - 1)).isLessThanOrEqualTo(i);
            assertThat(schedule.dueBy(time)).isGreaterThan(i);
            previous = time;
        }
        Schedule copy = schedule.copy();
        assertThat(copy.segments()).isEqualTo(schedule.segments());
    }

    @Test
    void aSegmentThatDoesNotGoOnWhereTheScheduleEndsIsRefused() {
        Schedule schedule = Schedule.constant(START, 10);
        assertThatThrownBy(() -> schedule.append(new Schedule.Segment(11, START + 1_000_000, 5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("index 10 was to be next");
    }

    @Test
    void shapesAreSecondsOfConstantRate() {
        assertThat(rates(Shape.constant(5), 3)).containsExactly(5, 5, 5);
        assertThat(rates(new Shape(Shape.Kind.STEP, 10, 20, 2), 4)).containsExactly(10, 10, 20, 20);
        assertThat(rates(new Shape(Shape.Kind.RAMP, 0, 100, 4), 6)).containsExactly(0, 25, 50, 75, 100, 100);
        assertThat(rates(new Shape(Shape.Kind.SINE, 0, 100, 4), 5)).containsExactly(50, 100, 50, 0, 50);
        assertThat(rates(new Shape(Shape.Kind.BURST, 1, 9, 10), 12))
                .containsExactly(9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 1);
    }

    @Test
    void aShapeSchedulesExactlyItsRateInEverySecond() {
        Shape shape = new Shape(Shape.Kind.SINE, 100, 10_000, 60);
        Schedule schedule = shape.schedule(START, 120);
        long total = 0;
        for (long second = 0; second < 120; second++) {
            total += shape.rateAt(second);
            assertThat(schedule.dueBy(START + (second + 1) * 1_000_000 - 1)).isEqualTo(total);
        }
        assertThat(schedule.dueBy(Long.MAX_VALUE / 2)).isEqualTo(total);
    }

    private static long[] rates(Shape shape, int seconds) {
        long[] rates = new long[seconds];
        for (int i = 0; i < seconds; i++) {
            rates[i] = shape.rateAt(i);
        }
        return rates;
    }
}
