package dev.millrace.perf.run.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.Position;
import dev.millrace.perf.fanout.Look;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a reader group may not have missed. */
class FanOutCheckTest {
    private static final Map<Integer, Position> FROM = Map.of(0, new Position(0, 10), 1, new Position(0, 20));
    private static final Map<Integer, Position> FIRST = Map.of(0, new Position(0, 10));
    private final FanOutCheck check =
            new FanOutCheck("two groups", FROM, Map.of(0, new Position(0, 110), 1, new Position(0, 20)));

    private static Look.Part part(
            long readings, long missing, long repeated, boolean end, Map<Integer, Position> first) {
        return new Look.Part(readings, missing, repeated, end, first, 0, 0, 0, 0, 0);
    }

    private static Look.Part whole(long readings) {
        return part(readings, 0, 0, true, FIRST);
    }

    private static Look.Part copier(long readings, long stored) {
        return new Look.Part(readings, 0, 0, true, FIRST, stored, 0, 0, 0, 0);
    }

    private List<String> reasons(Look.Part... groups) {
        return check.reasons(List.of(groups), false, Optional.empty());
    }

    @Test
    void groupsThatGotEverythingMayHaveReadFurther() {
        assertThat(reasons(whole(100), whole(123))).isEmpty();
    }

    @Test
    void aGapAndAReadingThatCameAgainAreSaid() {
        assertThat(reasons(whole(100), part(98, 2, 0, true, FIRST)))
                .containsExactly(
                        "fan-out, two groups: group 2 got 98 readings, 0 of them again, and 2 between them never"
                                + " came");
        assertThat(reasons(part(101, 0, 1, true, FIRST), whole(100)))
                .containsExactly(
                        "fan-out, two groups: group 1 got 101 readings, 1 of them again, and 0 between them never"
                                + " came");
    }

    @Test
    void aGroupThatDidNotComeToTheEndIsSaidUnlessItIsTheSlowOne() {
        Look.Part late = part(50, 0, 0, false, FIRST);
        assertThat(reasons(whole(100), late))
                .containsExactly("fan-out, two groups: group 2 had not read to the end in time: it got 50 readings");
        assertThat(check.reasons(List.of(whole(100), late), true, Optional.empty()))
                .isEmpty();
        assertThat(check.reasons(List.of(late, whole(100)), true, Optional.empty()))
                .hasSize(1);
        assertThat(check.reasons(List.of(whole(100), part(50, 3, 0, false, FIRST)), true, Optional.empty()))
                .hasSize(1);
    }

    @Test
    void aGroupThatBeganLaterIsSaid() {
        Map<Integer, Position> later = Map.of(0, new Position(0, 12));
        assertThat(reasons(whole(100), part(98, 0, 0, true, later)))
                .containsExactly(
                        "fan-out, two groups: group 2 did not begin where group 1 did: in partition 0 at 0:12, not"
                                + " at 0:10");
    }

    @Test
    void whatCameToAPartitionBehindTheEndDoesNotCount() {
        Map<Integer, Position> one = Map.of(0, new Position(0, 10), 1, new Position(0, 20));
        Map<Integer, Position> other = Map.of(0, new Position(0, 10), 1, new Position(0, 25));
        assertThat(reasons(part(100, 0, 0, true, one), part(100, 0, 0, true, other)))
                .isEmpty();
    }

    @Test
    void everyCopyIsStoredAndEveryGroupGetsItsOwn() {
        assertThat(check.reasons(List.of(whole(100), whole(100)), false, Optional.of(copier(100, 200))))
                .isEmpty();
        assertThat(check.reasons(List.of(whole(100), whole(99)), false, Optional.of(copier(100, 200))))
                .containsExactly("fan-out, two groups: group 2 got 99 readings of 100 that were copied; 200 copies were"
                        + " stored in 2 topics");
        assertThat(check.reasons(List.of(whole(100), whole(100)), false, Optional.of(copier(100, 199))))
                .hasSize(2);
    }
}
