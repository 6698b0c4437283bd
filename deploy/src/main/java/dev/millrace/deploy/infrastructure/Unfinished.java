package dev.millrace.deploy.infrastructure;

import dev.millrace.core.process.StopHook;
import dev.millrace.core.settings.EnvironmentException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What this process does not end in the middle of: from the making to the closing, an interrupt waits for it, at most 10 min.
 * Thread-safe.
 */
public final class Unfinished implements AutoCloseable {
    /** What a person who interrupts waits for: Terraform finishes the calls that are under way and writes its state. */
    private static final long ENDING_MINUTES = 10;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final StopHook hook;

    /**
     * Nothing of it may have begun yet.
     *
     * @throws EnvironmentException this process ends already
     */
    public Unfinished() {
        try {
            hook = new StopHook("unfinished", this::await);
        } catch (IllegalStateException e) {
            throw new EnvironmentException("interrupted before Terraform was at work", e);
        }
    }

    private void await() {
        try {
            finished.await(ENDING_MINUTES, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        finished.countDown();
        hook.close();
    }
}
