package dev.millrace.perf.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.run.stage.EventTime;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WindowWatchTest {
    private static final long NOTHING = Long.MIN_VALUE;

    @Test
    void everyWindowThatBecameVisibleAtOnceHasItsOwnLatency() {
        try (WindowWatch watch = new WindowWatch(() -> NOTHING, 1000, 500, EventTime.CLOCK)) {
            watch.look(10_000, 10_700);
            watch.look(13_200, 14_000);
            // The first look only says where watching begins: when its windows came is not known.
            assertThat(watch.dueBetween(0, Long.MAX_VALUE))
                    .containsExactly(
                            new WindowWatch.Visible(11_500, 2_500),
                            new WindowWatch.Visible(12_500, 1_500),
                            new WindowWatch.Visible(13_500, 500));
        }
    }

    @Test
    void aLookThatFindsNothingNewCountsNothing() {
        try (WindowWatch watch = new WindowWatch(() -> NOTHING, 1000, 500, EventTime.CLOCK)) {
            watch.look(NOTHING, 9_000);
            watch.look(10_000, 10_700);
            watch.look(10_900, 11_000);
            watch.look(10_900, 11_300);
            watch.look(11_000, 11_600);
            assertThat(watch.dueBetween(0, Long.MAX_VALUE)).containsExactly(new WindowWatch.Visible(11_500, 100));
        }
    }

    @Test
    void onlyWindowsDueInThePhaseAreItsOwn() {
        try (WindowWatch watch = new WindowWatch(() -> NOTHING, 1000, 500, EventTime.CLOCK)) {
            watch.look(10_000, 10_700);
            watch.look(15_000, 15_600);
            assertThat(watch.dueBetween(11_500, 13_500))
                    .extracting(WindowWatch.Visible::dueMillis)
                    .containsExactly(11_500L, 12_500L);
        }
    }

    @Test
    void windowsOfTimeThatPassesFasterAreDueByTheClock() {
        AtomicLong completeTo = new AtomicLong(NOTHING);
        // Event time was 10,000 when the clock was; it is 16,000 at 10,100.
        try (WindowWatch watch = new WindowWatch(completeTo::get, 6_000, 600, new EventTime(10_000, 60))) {
            watch.look(12_000, 10_060);
            watch.look(24_100, 10_300);
            assertThat(watch.dueBetween(0, Long.MAX_VALUE))
                    .containsExactly(new WindowWatch.Visible(10_143, 157), new WindowWatch.Visible(10_243, 57));
            completeTo.set(29_999);
            // Event time is 31,000 then, and the window that ended at 30,000 is due.
            assertThat(watch.await(10_350, 50)).isFalse();
            completeTo.set(30_000);
            assertThat(watch.await(10_350, 10_000)).isTrue();
        }
    }

    @Test
    void aWindowThatIsDueIsLookedForOftenAndNoneBeforeItIs() {
        try (WindowWatch watch = new WindowWatch(() -> NOTHING, 1000, 500, EventTime.CLOCK)) {
            assertThat(watch.pauseMillis(9_000)).isEqualTo(WindowWatch.INTERVAL_MILLIS);
            watch.look(10_200, 10_700);
            assertThat(watch.pauseMillis(10_710)).isEqualTo(790);
            assertThat(watch.pauseMillis(11_490)).isEqualTo(WindowWatch.INTERVAL_MILLIS);
            assertThat(watch.pauseMillis(15_000)).isEqualTo(WindowWatch.INTERVAL_MILLIS);
        }
    }

    @Test
    void waitingEndsWhenTheStoreIsThatFarOrTheBoundIsOver() {
        AtomicLong completeTo = new AtomicLong(10_000);
        try (WindowWatch watch = new WindowWatch(completeTo::get, 1000, 500, EventTime.CLOCK)) {
            assertThat(watch.await(10_400, 10_000)).isTrue();
            assertThat(watch.await(20_600, 50)).isFalse();
            completeTo.set(20_000);
            assertThat(watch.await(20_600, 10_000)).isTrue();
        }
    }
}
