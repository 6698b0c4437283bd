package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.KeyPartitions;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.testkit.flink.LocalFlink;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The sink to a topic. */
interface SinkChapter extends Chapter {

    @Test
    @DisplayName("what a job wrote is stored at least once when the job has ended, by key")
    default void sink() throws Exception {
        String topic = bench().topic(3);
        StreamExecutionEnvironment flink = LocalFlink.environment(2);
        flink.enableCheckpointing(100);
        flink.fromSequence(1, 2_000).sinkTo(bench().broker().sink(bench().options(), spec(topic)));
        flink.execute("contract");
        List<Stored> stored = bench().read(topic, 2_000);
        assertThat(stored.stream().map(Stored::text).distinct())
                .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 2_000)
                        .mapToObj(n -> "row " + n)
                        .toList());
        assertThat(stored).allSatisfy(record -> {
            long n = Long.parseLong(record.text().substring(4));
            assertThat(record.partition()).isEqualTo(KeyPartitions.of(new NumberEncoder().key(n), 3));
        });
    }

    @Test
    @DisplayName(
            "a send that is not acknowledged within its limit fails the job, which writes it again: nothing is lost")
    default void sendLimit() throws Exception {
        String topic = bench().topic(3);
        int rows = 2_000;
        SlowNumbers.STARTS.set(0);
        SlowNumbers.ROWS.set(0);
        StreamExecutionEnvironment flink = LocalFlink.environment(1);
        flink.enableCheckpointing(100);
        flink.fromSequence(1, rows)
                .map(new SlowNumbers())
                .sinkTo(bench().broker()
                        .sink(
                                bench().options(),
                                new SinkSpec<>(topic, new NumberEncoder(), SinkSpec.LEAST_SEND_LIMIT)));
        JobClient job = flink.executeAsync("contract");
        boolean ended = false;
        try {
            Await.until(bench().bound(), "rows were written", () -> SlowNumbers.ROWS.get() > rows / 10);
            bench().local().pause();
            try {
                Await.until(bench().bound(), "the job began again", () -> SlowNumbers.STARTS.get() > 1);
            } finally {
                bench().local().resume();
            }
            job.getJobExecutionResult().get(bench().bound().toSeconds(), TimeUnit.SECONDS);
            ended = true;
        } finally {
            if (!ended) {
                job.cancel();
            }
        }
        assertThat(bench().readDifferent(topic, rows))
                .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, rows)
                        .mapToObj(n -> "row " + n)
                        .toList());
    }

    /** So slow that a server can be silenced in between; counts in this process, which is the job's too. */
    final class SlowNumbers extends RichMapFunction<Long, Long> {
        private static final AtomicInteger STARTS = new AtomicInteger();
        private static final AtomicInteger ROWS = new AtomicInteger();
        private static final long serialVersionUID = 1;

        /** Before the sink connects: with a server that is silent it does not come to be opened. */
        @Override
        public void setRuntimeContext(RuntimeContext context) {
            super.setRuntimeContext(context);
            STARTS.incrementAndGet();
        }

        @Override
        public Long map(Long n) {
            LockSupport.parkNanos(1_000_000);
            ROWS.incrementAndGet();
            return n;
        }
    }

    private static SinkSpec<Long> spec(String topic) {
        return new SinkSpec<>(topic, new NumberEncoder());
    }

    /** {@code row N} under the key {@code N modulo 17}. */
    final class NumberEncoder implements SinkSpec.RecordEncoder<Long> {
        @Override
        public byte[] key(Long n) {
            return ("key " + n % 17).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] value(Long n) {
            return ("row " + n).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public long timestamp(Long n) {
            // Of every other one before 1970.
            return n % 2 == 0 ? n : -n;
        }
    }
}
