package dev.millrace.perf.run.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.run.exercise.TrendFindings.Series;
import dev.millrace.perf.trend.BlockMedians;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class TrendFindingsTest {
    private static final double UNBOUNDED = Double.POSITIVE_INFINITY;

    @Test
    void whatGrowsIsSaidWithItsSlopeAndWhatDoesNotIsListed() {
        Exercise.Found found = new TrendFindings(
                        0.95,
                        List.of(
                                series("memory", UNBOUNDED, 60, block -> 500 + 6.0 * block),
                                series("disk", UNBOUNDED, 60, block -> 9000 - 25.0 * block),
                                series("lag", 1, 60, block -> block % 3)),
                        60)
                .found();
        // Steps of 6 a minute, and of -25.
        assertThat(found.remarks()).hasSize(3);
        assertThat(found.remarks().get(0))
                .startsWith("memory grows by 360 MiB an hour (Theil-Sen, over 60 blocks; Mann-Kendall p = ");
        assertThat(found.remarks().get(1)).startsWith("disk falls by 1,500 MiB an hour (");
        assertThat(found.remarks().get(2))
                .isEqualTo("no trend could be seen in lag (confidence 95.00 % for all of them together)");
        assertThat(found.evidence()).containsOnlyKeys("memory.perHour", "disk.perHour", "lag.perHour");
        assertThat(found.reasons()).isEmpty();
    }

    @Test
    void onlyAGrowthBeyondItsBoundIsAReason() {
        Exercise.Found found = new TrendFindings(
                        0.95,
                        List.of(
                                series("memory", 359, 60, block -> 500 + 6.0 * block),
                                series("heap", 359.7, 60, block -> 500 + 6.0 * block),
                                series("disk", 361, 60, block -> 500 + 6.0 * block),
                                series("lag", 0, 60, block -> -block)),
                        60)
                .found();
        assertThat(found.reasons())
                .containsExactly(
                        "memory grows by 360 MiB an hour; at most 359 are allowed",
                        "heap grows by 360.0 MiB an hour; at most 359.7 are allowed");
    }

    @Test
    void aGrowthBeyondItsBoundIsAReasonAlongACurveToo() {
        // Beside a straight line a curve is an arc, whose blocks are so much alike that the test alone sees nothing.
        for (IntToDoubleFunction curve : List.<IntToDoubleFunction>of(
                block -> 500 + 0.05 * block * block,
                block -> 500 + 40 * Math.sqrt(block),
                block -> 500 + Math.max(0, block - 60) * 5 + block % 3)) {
            Series leak = series("memory", 100, 120, curve);
            assertThat(leak.blocks().trend().p()).isGreaterThan(0.01);
            Exercise.Found found = new TrendFindings(0.99, List.of(leak), 60).found();
            assertThat(found.reasons())
                    .singleElement()
                    .asString()
                    .startsWith("memory rose by ")
                    .contains("where at most 100 are allowed");
            assertThat(found.remarks()).isEmpty();
            assertThat(new TrendFindings(0.99, List.of(series("memory", 1e6, 120, curve)), 60)
                            .found()
                            .remarks())
                    .containsExactly("no trend could be seen in memory (confidence 99.00 % for all of them together)");
        }
    }

    @Test
    void whatWandersBeyondItsBoundIsNotCalledSteady() {
        Exercise.Found found = new TrendFindings(
                        0.95,
                        List.of(series(
                                "memory", 10, 120, block -> 500 + block + 80 * Math.sin(block / 40.0 * Math.PI))),
                        60)
                .found();
        assertThat(found.reasons()).isEmpty();
        assertThat(found.remarks())
                .singleElement()
                .asString()
                .startsWith("memory rose by ")
                .contains("whether that is a trend cannot be told");
    }

    @Test
    void theMoreIsLookedAtTheSurerEachMustBe() {
        // A slope that the test alone says with p of about 0.01.
        Series weak = series("weak", UNBOUNDED, 60, block -> block % 7 + block * 0.05);
        double p = weak.blocks().trend().p();
        assertThat(p).isBetween(0.005, 0.05);
        assertThat(new TrendFindings(0.95, List.of(weak), 60).found().remarks().get(0))
                .startsWith("weak grows by");
        List<Series> ten = java.util.stream.IntStream.range(0, 10)
                .mapToObj(i -> series("weak", UNBOUNDED, 60, block -> block % 7 + block * 0.05))
                .toList();
        assertThat(new TrendFindings(0.95, ten, 60).found().remarks())
                .hasSize(1)
                .allMatch(remark -> remark.startsWith("no trend could be seen in weak, weak,"));
    }

    @Test
    void underThirtyBlocksNothingIsClaimed() {
        Exercise.Found found = new TrendFindings(
                        0.95,
                        List.of(series("memory", 0, 29, block -> block * 100.0), series("not known", 0, 0, block -> 0)),
                        2)
                .found();
        assertThat(found.remarks())
                .containsExactly(
                        "too short for a trend: 29 blocks of 2.000 s at most, it takes 30 (memory)",
                        "not looked at, as nothing of it could be seen: not known");
        assertThat(found.reasons()).isEmpty();
        assertThat(found.evidence()).isEmpty();
    }

    @Test
    void aBoundOfWhatIsNotSeenIsNotTakenForKept() {
        Exercise.Found found = new TrendFindings(
                        0.95,
                        List.of(
                                series("memory of the broker", 8, 0, block -> 0),
                                series("disk of the broker", UNBOUNDED, 60, block -> Double.NaN),
                                series("lag", 1, 60, block -> block % 3)),
                        60)
                .found();
        assertThat(found.remarks())
                .containsExactly(
                        "no trend could be seen in lag (confidence 95.00 % for all of them together)",
                        "not looked at, as nothing of it could be seen: memory of the broker, disk of the broker");
    }

    private static Series series(String name, double bound, int count, IntToDoubleFunction value) {
        BlockMedians blocks = new BlockMedians(60, 60.0 * count);
        for (int block = 0; block < count; block++) {
            blocks.add(60.0 * block, value.applyAsDouble(block));
        }
        return new Series(name, "MiB", name + ".perHour", bound, blocks);
    }
}
