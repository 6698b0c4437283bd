package dev.millrace.perf.run.stage;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A person's wish to end: waits of the benchmark end early, and the run that they were for is kept as INVALID. Thread-safe. */
public final class Interruption {
    private final CountDownLatch asked = new CountDownLatch(1);

    public void ask() {
        asked.countDown();
    }

    public boolean isAsked() {
        return asked.getCount() == 0;
    }

    /** Waits so long; throws InterruptedException as soon as the end is asked for, or this thread is interrupted. */
    public void await(Duration time) throws InterruptedException {
        if (asked.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new InterruptedException();
        }
    }

    /** Waits so long; throws {@link Asked} as soon as the end is asked for. */
    public void pause(long nanos) {
        try {
            if (asked.await(Math.max(0, nanos), TimeUnit.NANOSECONDS)) {
                throw new Asked();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Asked();
        }
    }

    /** Ends a run from within. */
    public static final class Asked extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Asked() {
            super("interrupted");
        }
    }
}
