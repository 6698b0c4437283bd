package dev.millrace.brokers.memory.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TopicTest {
    private static final int PARTITIONS = 200;
    private static final int PAYLOAD_BYTES = 1 << 20;

    private final Topic topic = new Topic("readings", 7, PARTITIONS, -1, Long.MAX_VALUE);

    @Test
    @DisplayName(
            "whatever waits in how many partitions, an answer is a frame that a reader takes, and each has its turn")
    void fullAnswers() throws Exception {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            publish(partition);
        }
        Set<Integer> seen = new TreeSet<>();
        for (int asked = 0; asked < 1_000 && seen.size() < PARTITIONS; asked++) {
            seen.addAll(fetch());
        }
        assertThat(seen).hasSize(PARTITIONS);
    }

    /** One record, as long as any may be. */
    private void publish(int partition) throws IOException {
        FrameWriter batch = new FrameWriter().begin(Wire.PUBLISH);
        batch.text("publisher").number(1L).number((long) partition);
        batch.number(1).number(partition).number(1).number(PAYLOAD_BYTES);
        batch.number(PAYLOAD_BYTES).number(0L).bytes(new byte[PAYLOAD_BYTES], 0, PAYLOAD_BYTES);
        topic.publish(sent(batch), new FrameWriter().begin(Wire.OK), new Budget(Long.MAX_VALUE));
    }

    /** Partitions of one answer that had data. */
    private Set<Integer> fetch() throws Exception {
        FrameWriter out = new FrameWriter().begin(Wire.OK);
        topic.fetch(
                IntStream.range(0, PARTITIONS)
                        .mapToObj(partition -> new Topic.Wanted(partition, 7, 0, Long.MAX_VALUE))
                        .toList(),
                PAYLOAD_BYTES,
                0,
                out);
        ByteBuffer answer = sent(out);
        assertThat(answer.getLong()).isEqualTo(7);
        Set<Integer> partitions = new TreeSet<>();
        for (int left = answer.getInt(); left > 0; left--) {
            partitions.add(answer.getInt());
            assertThat(answer.getLong()).isZero();
            assertThat(answer.getLong()).isEqualTo(1);
            assertThat(answer.getInt()).isEqualTo(1);
            assertThat(answer.getInt()).isEqualTo(PAYLOAD_BYTES);
            answer.position(answer.position() + Integer.BYTES + Long.BYTES + PAYLOAD_BYTES);
        }
        assertThat(answer.hasRemaining()).isFalse();
        assertThat(partitions).isNotEmpty();
        return partitions;
    }

    /** As it arrives, without the kind. */
    private static ByteBuffer sent(FrameWriter frame) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        frame.send(bytes);
        ByteBuffer arrived = new FrameReader(new ByteArrayInputStream(bytes.toByteArray())).next();
        arrived.get();
        return arrived;
    }
}
