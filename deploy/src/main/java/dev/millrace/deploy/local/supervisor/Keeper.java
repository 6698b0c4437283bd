package dev.millrace.deploy.local.supervisor;

import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.local.part.Part;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one part alive, by a thread of its own: a part that takes long to start does not hold up the others. */
public final class Keeper {
    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
    private static final long LOOK_MILLIS = 200;

    /** It ended because its settings are wrong: starting it again will not help, a person must. */
    public static final String REFUSED = "refused";

    private final Part part;
    private final Runnable whenDead;
    private final CountDownLatch unwanted = new CountDownLatch(1);
    private final Thread thread;
    private volatile String state = "stopped";
    private volatile String problem = "";
    private volatile String ended = "";
    private volatile int restarts;
    private volatile boolean started;

    /** @param whenDead what must happen as soon as the part is found dead, before it is started again */
    Keeper(Part part, Runnable whenDead) {
        this.part = part;
        this.whenDead = whenDead;
        this.thread = new Thread(this::keep, "keep-" + part.name());
        thread.setDaemon(true);
    }

    /** Starts the part in the caller's thread, failures are thrown; from then on it is kept alive. */
    void start() {
        state = "starting";
        LOG.info("{} starts", part.name());
        part.start();
        state = "running";
        LOG.info("{} started, pid {}", part.name(), part.pid());
        started = true;
        thread.start();
    }

    private void keep() {
        BackOff backOff = new BackOff();
        long startedNanos = System.nanoTime();
        while (!isUnwantedWithin(LOOK_MILLIS)) {
            try {
                if (part.isAlive()) {
                    continue;
                }
                long waitMillis = backOff.afterLifeOf(Duration.ofNanos(System.nanoTime() - startedNanos));
                state = "restarting";
                ended = part.ending().orElse("");
                LOG.warn(
                        "{} ended {}; it starts again in {} ms",
                        part.name(),
                        ended.isEmpty() ? "or was ended" : ended,
                        waitMillis);
                whenDead.run();
                part.refusal().ifPresent(sentence -> {
                    state = REFUSED;
                    problem = sentence;
                });
                if (isUnwantedWithin(waitMillis)) {
                    break;
                }
                restarts++;
                startAgain();
            } catch (RuntimeException | Error e) {
                // Without this thread nobody starts the part again. Classes are loaded late, and a build may have put
                // others in the place of those that began; threads and memory may be short for a while.
                problem = String.valueOf(e.getMessage());
                LOG.warn("{} did not start", part.name(), e);
            }
            startedNanos = System.nanoTime();
        }
    }

    private void startAgain() {
        part.start();
        state = "running";
        problem = "";
        LOG.info("{} started again, pid {} (restart {})", part.name(), part.pid(), restarts);
    }

    private boolean isUnwantedWithin(long millis) {
        try {
            return unwanted.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Stops the part and keeps it no longer; a start that is under way is waited for, at most a minute. */
    void stop() {
        unwanted.countDown();
        if (started && Thread.currentThread() != thread) {
            try {
                thread.join(60_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        LOG.info("{} stops", part.name());
        part.stop();
        state = "stopped";
    }

    Part part() {
        return part;
    }

    boolean isStarted() {
        return started;
    }

    int restarts() {
        return restarts;
    }

    /** Why the last start failed; empty when it did not. */
    String problem() {
        return problem;
    }

    /** As {@link StackState} shows it. */
    StackState.Part view() {
        String shown = part.isForeign() && started ? StackState.FOREIGN : state;
        return new StackState.Part(part.pid(), shown, restarts, part.url(), part.metricsUrl(), part.log(), ended);
    }
}
