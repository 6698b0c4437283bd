package dev.millrace.connectors.testkit.broker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, never for a time. */
final class Await {
    private static final long PAUSE_NANOS = 5_000_000;

    private Await() {}

    /** Returns when {@code condition} holds; fails with {@code what} when that takes longer than {@code bound}. */
    static void until(Duration bound, String what, BooleanSupplier condition) {
        if (!within(bound, condition)) {
            throw new AssertionError("within " + bound + " it did not happen that " + what);
        }
    }

    /** Whether {@code condition} came to hold within {@code bound}. */
    static boolean within(Duration bound, BooleanSupplier condition) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                return condition.getAsBoolean();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }
}
