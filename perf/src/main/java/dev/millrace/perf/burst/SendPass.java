package dev.millrace.perf.burst;

import com.sun.management.OperatingSystemMXBean;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.reading.Position;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends so many rows in one arrangement, all of them due at once, and counts what becomes of each. A publisher belongs to one thread,
 * so where several send they take turns to hand over; what they wait for is the answer. Used by one thread.
 */
final class SendPass {
    /** As the sink of a job waits when the client's buffer is full. */
    private static final long FULL_NANOS = 500_000;
    /** A thread that only waits needs little; the machine rounds it up to what it must have. */
    private static final long STACK_BYTES = 128 << 10;
    /** Beyond the limit, for a machine that is slow: what has no answer by then has expired. */
    private static final long GRACE_MILLIS = 2_000;

    private final Publisher publisher;
    private final int rowBytes;
    private final int poolThreads;
    private final long limitNanos;
    private final Object turn = new Object();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicLong lastAnswerNanos = new AtomicLong();
    private final AtomicInteger threads = new AtomicInteger();
    private final AtomicInteger threadsMax = new AtomicInteger();

    /**
     * @param rowBytes of each row
     * @param poolThreads of {@link Arrangement#POOLED}
     */
    SendPass(Publisher publisher, int rowBytes, int poolThreads, Duration limit) {
        this.publisher = publisher;
        this.rowBytes = rowBytes;
        this.poolThreads = poolThreads;
        this.limitNanos = limit.toNanos();
    }

    /** Sends {@code rows}; returns when each has its answer or has expired. Once for each object. */
    SendResult run(Arrangement arrangement, int rows) {
        byte[] row = new byte[rowBytes];
        new SplittableRandom(1).nextBytes(row);
        long cpuBefore = cpuNanos();
        long begin = System.nanoTime();
        lastAnswerNanos.set(begin);
        long notStarted =
                switch (arrangement) {
                    case BATCHED -> batched(row, rows);
                    case POOLED -> pooled(row, rows);
                    case THREAD_EACH -> threadEach(row, rows);
                };
        long cpu = cpuNanos() - cpuBefore;
        return new SendResult(
                rows,
                acknowledged.get(),
                rows - notStarted - acknowledged.get() - refused.get(),
                refused.get(),
                notStarted,
                (lastAnswerNanos.get() - begin) / 1e6,
                longestNanos.get() / 1e6,
                Math.max(1, threadsMax.get()),
                cpu / 1e6);
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private long batched(byte[] row, int rows) {
        for (int i = 0; i < rows; i++) {
            if (!handOver(i, row, new Answer(null))) {
                break;
            }
        }
        publisher.flush(Duration.ofNanos(limitNanos));
        return 0;
    }

    private long pooled(byte[] row, int rows) {
        AtomicInteger next = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(poolThreads);
        for (int i = 0; i < poolThreads; i++) {
            thread("send-pool-" + i, () -> {
                for (int n = next.getAndIncrement(); n < rows; n = next.getAndIncrement()) {
                    sendAndWait(n, row);
                }
                ended.countDown();
            });
        }
        // Each of them gives up a send at its limit, so even a silent broker ends this.
        await(ended, limitNanos / 1_000_000 * (rows / poolThreads + 1) + GRACE_MILLIS);
        return 0;
    }

    private long threadEach(byte[] row, int rows) {
        CountDownLatch ended = new CountDownLatch(rows);
        long notStarted = 0;
        for (int i = 0; i < rows; i++) {
            int n = i;
            try {
                thread("send-" + n, () -> {
                    sendAndWait(n, row);
                    ended.countDown();
                });
            } catch (OutOfMemoryError e) {
                // The machine has no thread left: such a platform drops the request.
                notStarted++;
                ended.countDown();
            }
        }
        await(ended, limitNanos / 1_000_000 + GRACE_MILLIS);
        return notStarted;
    }

    /** Throws OutOfMemoryError when the machine has no thread left. */
    private void thread(String name, Runnable work) {
        Runnable counted = () -> {
            threadsMax.accumulateAndGet(threads.incrementAndGet(), Math::max);
            try {
                work.run();
            } finally {
                threads.decrementAndGet();
            }
        };
        Thread thread = new Thread(null, counted, name, STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
    }

    private static void await(CountDownLatch latch, long millis) {
        try {
            latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendAndWait(int n, byte[] row) {
        CountDownLatch answered = new CountDownLatch(1);
        if (handOver(n, row, new Answer(answered))) {
            await(answered, limitNanos / 1_000_000);
        }
    }

    /** Whether the client took it within the limit. */
    private boolean handOver(int n, byte[] row, Answer answer) {
        // Devices' names are as long as these.
        byte[] key = String.format(Locale.ROOT, "device-%07d", n).getBytes(StandardCharsets.US_ASCII);
        while (System.nanoTime() - answer.beginNanos <= limitNanos) {
            synchronized (turn) {
                if (publisher.offer(key, row, System.currentTimeMillis(), answer)) {
                    return true;
                }
            }
            LockSupport.parkNanos(FULL_NANOS);
        }
        return false;
    }

    /** Of one send, which begins with it. */
    private final class Answer implements Publisher.Receipt {
        private final long beginNanos = System.nanoTime();
        private final CountDownLatch waited;

        Answer(CountDownLatch waited) {
            this.waited = waited;
        }

        @Override
        public void stored(int partition, Position position) {
            long now = System.nanoTime();
            long took = now - beginNanos;
            if (took <= limitNanos) {
                acknowledged.incrementAndGet();
            }
            longestNanos.accumulateAndGet(took, Math::max);
            answered(now);
        }

        @Override
        public void refused(String sentence) {
            refused.incrementAndGet();
            answered(System.nanoTime());
        }

        @Override
        public void unknown(String sentence) {
            answered(System.nanoTime());
        }

        private void answered(long now) {
            lastAnswerNanos.accumulateAndGet(now, Math::max);
            if (waited != null) {
                waited.countDown();
            }
        }
    }
}
