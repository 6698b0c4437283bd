package dev.millrace.perf.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineWatchTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void whatWasBeforeOrAfterIsNotCounted() {
        try (MachineWatch watch = MachineWatch.start(true)) {
            long begin = System.nanoTime() + 3600 * SECOND;
            watch.add(begin, new MachineUse(1000, 500, 400, 0, 9));
            watch.add(begin + SECOND, new MachineUse(1200, 501, 500, 0, 9));
            watch.add(begin + 2 * SECOND, new MachineUse(1400, 501, 700, 0, 9));
            MachineUse last = watch.counted(begin + SECOND + 1, begin + 2 * SECOND);
            assertThat(last).isEqualTo(new MachineUse(200, 0, 200, 0, 0));
            // From the look before, so that nothing is left out.
            assertThat(watch.counted(begin + 1, begin + 3 * SECOND)).isEqualTo(new MachineUse(400, 1, 300, 0, 0));
            assertThat(watch.counted(begin + 1, begin + SECOND - 1)).isEqualTo(new MachineUse(200, 1, 100, 0, 0));
        }
    }

    @Test
    void whatBeganBeforeTheFirstLookIsCountedFromThat() {
        try (MachineWatch watch = MachineWatch.start(true)) {
            assertThat(watch.between(System.nanoTime() - 3600 * SECOND, System.nanoTime())
                            .totalTicks())
                    .isNotNegative()
                    .isLessThan(3600 * 100);
        }
    }
}
