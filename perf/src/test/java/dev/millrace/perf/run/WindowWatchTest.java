package dev.millrace.perf.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WindowWatchTest {
    private static final long NOTHING = Long.MIN_VALUE;

    @Test
    void everyWindowThatBecameVisibleAtOnceHasItsOwnLatency() {
        try (WindowWatch watch = new WindowWatch(() -> NOTHING, 1000, 500)) {
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
        try (WindowWatch watch = new WindowWatch(() -> NOTHING, 1000, 500)) {
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
        try (WindowWatch watch = new WindowWatch(() -> NOTHING, 1000, 500)) {
            watch.look(10_000, 10_700);
            watch.look(15_000, 15_600);
            assertThat(watch.dueBetween(11_500, 13_500))
                    .extracting(WindowWatch.Visible::dueMillis)
                    .containsExactly(11_500L, 12_500L);
        }
    }

    @Test
    void waitingEndsWhenTheStoreIsThatFarOrTheBoundIsOver() {
        AtomicLong completeTo = new AtomicLong(10_000);
        try (WindowWatch watch = new WindowWatch(completeTo::get, 1000, 500)) {
            assertThat(watch.await(10_400, 10_000)).isTrue();
            assertThat(watch.await(20_000, 50)).isFalse();
            completeTo.set(19_500);
            assertThat(watch.await(20_000, 10_000)).isTrue();
        }
    }
}
