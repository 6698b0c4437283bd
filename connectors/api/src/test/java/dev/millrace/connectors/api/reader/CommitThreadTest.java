package dev.millrace.connectors.api.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.Position;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CommitThreadTest {
    private final BlockingQueue<Map<String, Position>> asked = new LinkedBlockingQueue<>();
    private volatile boolean isAway;
    /** Taken while the broker makes up its mind. */
    private final Semaphore answers = new Semaphore(Integer.MAX_VALUE);

    /** A broker that notes what it is told, also while it cannot take it. */
    private final class Broker implements PositionCommitter {
        @Override
        public void commit(Map<String, Position> positions) throws IOException, InterruptedException {
            boolean fails = isAway;
            asked.add(positions);
            answers.acquire();
            answers.release();
            if (fails) {
                throw new IOException("away");
            }
        }

        @Override
        public void close() {}
    }

    private static Position at(long offset) {
        return new Position(0, offset);
    }

    private Map<String, Position> next() throws InterruptedException {
        Map<String, Position> next = asked.poll(10, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    @Test
    @DisplayName("what the broker could not take goes with the next checkpoint, unless that knows a later position")
    void failedAreReportedAgain() throws Exception {
        try (CommitThread thread = new CommitThread(new Broker(), 0)) {
            isAway = true;
            thread.commit(Map.of("finished", at(7), "read", at(3)));
            assertThat(next()).hasSize(2);
            // Nobody asks a broker that is away again and again.
            assertThat(asked.poll(300, TimeUnit.MILLISECONDS)).isNull();
            isAway = false;
            thread.commit(Map.of("read", at(5)));
            assertThat(next()).isEqualTo(Map.of("finished", at(7), "read", at(5)));
            thread.commit(Map.of("read", at(6)));
            assertThat(next()).isEqualTo(Map.of("read", at(6)));
        }
    }

    @Test
    @DisplayName("a position that failed slowly does not come after a later one of the same split")
    void whatFailedIsNotReportedAfterWhatCameLater() throws Exception {
        try (CommitThread thread = new CommitThread(new Broker(), 0)) {
            isAway = true;
            int held = answers.drainPermits();
            thread.commit(Map.of("finished", at(100)));
            assertThat(next()).hasSize(1);
            isAway = false;
            thread.commit(Map.of("finished", at(200)));
            answers.release(held);
            assertThat(next()).isEqualTo(Map.of("finished", at(200)));
            thread.commit(Map.of("read", at(1)));
            assertThat(next()).isEqualTo(Map.of("read", at(1)));
        }
    }
}
