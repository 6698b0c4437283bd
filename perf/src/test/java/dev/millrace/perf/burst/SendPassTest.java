package dev.millrace.perf.burst;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.reading.Position;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SendPassTest {
    private final Answering publisher = new Answering();

    @AfterEach
    void close() {
        publisher.close();
    }

    private SendResult send(Arrangement arrangement, int rows, Duration limit) {
        return new SendPass(publisher, 40, 8, limit).run(arrangement, rows);
    }

    @ParameterizedTest
    @EnumSource
    void everyRowIsSentOnceAndHasItsAnswer(Arrangement arrangement) {
        SendResult sent = send(arrangement, 300, Duration.ofSeconds(30));
        assertThat(sent.acknowledged()).isEqualTo(300);
        assertThat(sent.expired() + sent.refused() + sent.notStarted()).isZero();
        assertThat(publisher.offered).isEqualTo(300);
        assertThat(publisher.bytes).isEqualTo(300 * 40);
        assertThat(sent.sendMillisMax()).isPositive().isLessThanOrEqualTo(sent.millis() + 1);
        assertThat(sent.rowsPerSecond()).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void aRowWithoutAnAnswerWithinTheLimitHasExpired(Arrangement arrangement) {
        publisher.answersOf = 5;
        SendResult sent = send(arrangement, 9, Duration.ofSeconds(5));
        assertThat(sent.acknowledged()).isEqualTo(5);
        assertThat(sent.expired()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void aRowThatIsRefusedHasNotExpired(Arrangement arrangement) {
        publisher.refusesFrom = 20;
        SendResult sent = send(arrangement, 30, Duration.ofSeconds(30));
        assertThat(sent.acknowledged()).isEqualTo(20);
        assertThat(sent.refused()).isEqualTo(10);
        assertThat(sent.expired()).isZero();
    }

    @Test
    void aPoolHasAsManyUnderWayAsItHasThreadsAndThreadsForAllHaveMore() {
        publisher.answersFrom = 8;
        assertThat(send(Arrangement.POOLED, 40, Duration.ofSeconds(30)).acknowledged())
                .isEqualTo(40);
        assertThat(publisher.mostUnderWay).isEqualTo(8);
        publisher.answersFrom = 40;
        SendResult each = send(Arrangement.THREAD_EACH, 40, Duration.ofSeconds(30));
        assertThat(each.acknowledged()).isEqualTo(40);
        assertThat(publisher.mostUnderWay).isEqualTo(40);
        assertThat(each.threadsMax()).isEqualTo(40);
    }

    /** Takes every other offer; answers on a thread of its own, when so many are under way as it waits for. */
    private static final class Answering implements Publisher {
        private final ConcurrentLinkedQueue<Receipt> underWay = new ConcurrentLinkedQueue<>();
        private final Thread thread = new Thread(this::answer, "answers");
        private volatile boolean closed;
        private volatile int answersFrom = 1;
        private volatile int answersOf = Integer.MAX_VALUE;
        private volatile int refusesFrom = Integer.MAX_VALUE;
        private volatile int mostUnderWay;
        private volatile int answered;
        private volatile int offered;
        private volatile int bytes;
        private boolean full;

        Answering() {
            thread.setDaemon(true);
            thread.start();
        }

        private void answer() {
            while (!closed) {
                LockSupport.parkNanos(100_000);
                if (underWay.size() < answersFrom) {
                    continue;
                }
                int seen = underWay.size();
                mostUnderWay = Math.max(mostUnderWay, seen);
                // What comes meanwhile is of the next round, or the last one would never be full.
                for (int i = 0; i < seen; i++) {
                    Receipt receipt = underWay.remove();
                    answered++;
                    if (answered > refusesFrom) {
                        receipt.refused("enough");
                    } else if (answered <= answersOf) {
                        receipt.stored(0, new Position(0, answered));
                    }
                }
            }
        }

        @Override
        public boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt) {
            full = !full;
            if (full) {
                return false;
            }
            offered++;
            bytes += value.length;
            underWay.add(receipt);
            return true;
        }

        @Override
        public boolean flush(Duration timeout) {
            long deadline = System.nanoTime() + timeout.toNanos();
            while (answered < offered || answersOf < offered) {
                if (System.nanoTime() > deadline) {
                    return false;
                }
                LockSupport.parkNanos(1_000_000);
            }
            return true;
        }

        @Override
        public int largestPayloadBytes() {
            return 1_000;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
