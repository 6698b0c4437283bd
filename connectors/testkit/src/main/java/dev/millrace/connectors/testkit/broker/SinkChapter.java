package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.KeyPartitions;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.testkit.flink.LocalFlink;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;
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
            return n;
        }
    }
}
