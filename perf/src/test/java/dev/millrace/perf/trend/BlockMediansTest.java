package dev.millrace.perf.trend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BlockMediansTest {
    @Test
    void aBlockIsTheMedianOfItsSeconds() {
        BlockMedians blocks = new BlockMedians(3, 9);
        double[] values = {1, 90, 2, 5, 4, Double.NaN, 7, 7, 8};
        for (int second = 0; second < values.length; second++) {
            blocks.add(second, values[second]);
        }
        assertThat(blocks.medians()).containsExactly(2, 4.5, 7);
        assertThat(blocks.hours()).containsExactly(0, 3 / 3600.0, 6 / 3600.0);
    }

    @Test
    void aBlockInWhichNothingWasSeenIsNotThere() {
        BlockMedians blocks = new BlockMedians(1, 10);
        blocks.add(0.5, 1);
        blocks.add(9.9, 2);
        blocks.add(5, Double.NaN);
        assertThat(blocks.size()).isEqualTo(2);
        assertThat(blocks.hours()).containsExactly(0, 9 / 3600.0);
    }

    @Test
    void theSlopeIsByTheHourWhateverTheBlock() {
        BlockMedians blocks = new BlockMedians(10, 3600);
        for (int second = 0; second < 3600; second++) {
            blocks.add(second, 500 + 12.0 * second / 3600);
        }
        Trend trend = blocks.trend();
        assertThat(trend.perHour()).isCloseTo(12, org.assertj.core.api.Assertions.within(1e-9));
        assertThat(trend.p()).isLessThan(1e-6);
    }

    @Test
    void aVeryLongPhaseHasLongerBlocks() {
        BlockMedians blocks = new BlockMedians(1, 86_400);
        for (int second = 0; second < 86_400; second++) {
            blocks.add(second, second);
        }
        assertThat(blocks.size()).isEqualTo(BlockMedians.MOST);
    }
}
