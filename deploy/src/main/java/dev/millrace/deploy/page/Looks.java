package dev.millrace.deploy.page;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.look.StackStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a stack while somebody asks, by one thread however many ask: a look costs queries. Without a question there is
 * neither thread nor look. Thread-safe.
 */
final class Looks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Looks.class);
    private static final Pace USUAL = new Pace(Duration.ofSeconds(2), Duration.ofSeconds(10));

    private final Supplier<StackStatus> look;
    private final Pace pace;
    private final InstantSource clock;
    private final CountDownLatch closed = new CountDownLatch(1);
    private CompletableFuture<Answer> next = new CompletableFuture<>();
    private @Nullable Answer newest;
    private long newestNanos;
    private long askedNanos;
    private @Nullable Thread thread;
    /** Somebody waits for {@link #next}. */
    private boolean awaited;

    private boolean failed;

    /**
     * How often.
     *
     * @param every from the start of a look to the start of the next, at least
     * @param after the last question no further look is begun; an answer that is older is not given
     */
    record Pace(Duration every, Duration after) {}

    /**
     * What is to be said of a look.
     *
     * @param status of HTTP: 200, or 503 with a {@code message} alone
     */
    record Answer(int status, String json) {
        static Answer unknown(String sentence) {
            return new Answer(
                    503,
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("message", sentence)
                            .toString());
        }
    }

    /** @param look takes a second or more; is called by one thread at a time */
    Looks(Supplier<StackStatus> look) {
        this(look, USUAL, InstantSource.system());
    }

    Looks(Supplier<StackStatus> look, Pace pace, InstantSource clock) {
        this.look = look;
        this.pace = pace;
        this.clock = clock;
    }

    /** The newest look; the one that is being made when there is none, or none of late. */
    synchronized CompletableFuture<Answer> ask() {
        askedNanos = System.nanoTime();
        if (thread == null && closed.getCount() > 0) {
            Thread begun = new Thread(this::run, "live-look");
            begun.setDaemon(true);
            // It may fail, and then the next question tries again.
            begun.start();
            thread = begun;
        }
        boolean isOfLate =
                newest != null && System.nanoTime() - newestNanos < pace.after().toNanos();
        awaited |= !isOfLate;
        return isOfLate ? CompletableFuture.completedFuture(newest) : next.copy();
    }

    private void run() {
        try {
            while (isWanted()) {
                long start = System.nanoTime();
                publish(answer());
                long rest = pace.every().toNanos() - (System.nanoTime() - start);
                if (closed.await(rest, TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isWanted() {
        boolean wanted = closed.getCount() > 0
                && (awaited || System.nanoTime() - askedNanos < pace.after().toNanos());
        if (!wanted) {
            thread = null;
        }
        return wanted;
    }

    private Answer answer() {
        try {
            Instant now = clock.instant();
            String json = look.get().json(now);
            failed = false;
            return new Answer(200, json);
        } catch (RuntimeException | Error e) {
            // Whatever it is, the next look may find it gone: a machine may be out of threads for a moment.
            if (!failed) {
                LOG.warn("the stack could not be looked at; it is tried again while somebody asks", e);
            }
            failed = true;
            boolean isSentence = e instanceof UserException || e instanceof EnvironmentException;
            return Answer.unknown(
                    "the stack could not be looked at: " + (isSentence ? e.getMessage() : "internal error: " + e));
        }
    }

    private void publish(Answer answer) {
        CompletableFuture<Answer> waiting;
        synchronized (this) {
            newest = answer;
            newestNanos = System.nanoTime();
            awaited = false;
            waiting = next;
            next = new CompletableFuture<>();
        }
        // Not in the lock: whoever waits writes to a socket.
        waiting.complete(answer);
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
