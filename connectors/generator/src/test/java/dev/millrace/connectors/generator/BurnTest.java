package dev.millrace.connectors.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class BurnTest {
    @Test
    void everyReadingCostsWhatIsAskedForByTheThreadsOwnClock() {
        Burn burn = new Burn(20);
        long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < 10_000; i++) {
            burn.oneReading();
        }
        long burnt = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun;
        // What is still owed is less than 50 us; what the loop itself takes is above.
        assertThat(burnt).isGreaterThan(200_000_000L - 50_000L);
    }

    @Test
    void nothingIsBurntWhenNothingIsAskedFor() {
        Burn burn = new Burn(0);
        long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < 10_000; i++) {
            burn.oneReading();
        }
        long burnt = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun;
        // A single look at the clock for each reading would be more.
        assertThat(burnt).isLessThan(200_000_000L - 50_000L);
    }
}
