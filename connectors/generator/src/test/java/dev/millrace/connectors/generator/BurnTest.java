package dev.millrace.connectors.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BurnTest {
    private static long cpuOfAllThreads() {
        long sum = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("generator-burn")) {
                sum += Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()));
            }
        }
        return sum;
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void everyReadingCostsWhatIsAskedForByTheThreadsOwnClock() {
        try (Burn burn = new Burn(20)) {
            long begun = cpuOfAllThreads();
            for (int i = 0; i < 10_000; i++) {
                burn.oneReading();
            }
            while (!burn.isDone()) {
                LockSupport.parkNanos(1_000_000);
            }
            // What is still owed is less than 50 us; what the loop itself takes is above.
            assertThat(cpuOfAllThreads() - begun).isGreaterThan(200_000_000L - 50_000L);
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void theSenderWaitsForWhatCannotBeBurntInTime() {
        try (Burn burn = new Burn(1_000)) {
            long begun = System.nanoTime();
            for (int i = 0; i < 400; i++) {
                burn.oneReading();
            }
            // 400 ms are owed, and 100 ms may be left.
            assertThat(System.nanoTime() - begun).isGreaterThan(290_000_000L);
        }
    }

    @Test
    void nothingIsBurntWhenNothingIsAskedFor() {
        try (Burn burn = new Burn(0)) {
            for (int i = 0; i < 10_000; i++) {
                burn.oneReading();
            }
            assertThat(burn.isDone()).isTrue();
        }
    }
}
