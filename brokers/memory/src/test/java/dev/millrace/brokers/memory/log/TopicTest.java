package dev.millrace.brokers.memory.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TopicTest {
    private static final int PARTITIONS = 200;
    private static final int PAYLOAD_BYTES = 1 << 20;
    private static final int RECORD_BYTES = 700;

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

    @Test
    @DisplayName(
            "a batch that was refused and those behind it, sent again over another connection, are each stored once")
    void refusedBatch() throws Exception {
        Topic small = new Topic("readings", 7, 1, -1, Long.MAX_VALUE);
        Budget roomy = new Budget(Long.MAX_VALUE);
        Budget full = new Budget(-1);
        for (int before : new int[] {0, PublisherState.REMEMBERED + 8}) {
            String publisher = "after " + before;
            long sequence = 0;
            for (; sequence < before; sequence++) {
                publish(small, publisher, sequence, roomy, 1);
            }
            long end = publish(small, publisher, sequence++, roomy, 1) + 1;
            long refused = sequence;
            assertThatThrownBy(() -> publish(small, publisher, refused, full, 5))
                    .hasMessageContaining("the server is full");
            assertThat(publish(small, publisher, refused + 1, roomy, 7)).isEqualTo(end);
            assertThat(publish(small, publisher, refused, roomy, 5)).isEqualTo(end + 7);
            assertThat(publish(small, publisher, refused + 1, roomy, 7)).isEqualTo(end);
            assertThat(publish(small, publisher, refused + 2, roomy, 1)).isEqualTo(end + 12);
        }
    }

    @Test
    @DisplayName("a batch that says it has more than it has is refused, and nothing of it is stored")
    void malformed() throws Exception {
        Topic two = new Topic("readings", 7, 2, -1, Long.MAX_VALUE);
        for (int[] second : new int[][] {{2_000_000_000, 10}, {1, 1_000}, {1, -1}, {-1, 10}}) {
            FrameWriter batch = new FrameWriter().begin(Wire.PUBLISH);
            batch.text("publisher").number(1L).number(0L).number(2);
            batch.number(0).number(1).number(3).number(3).number(0L).bytes(new byte[3], 0, 3);
            batch.number(1)
                    .number(second[0])
                    .number(second[1])
                    .number(10)
                    .number(0L)
                    .bytes(new byte[10], 0, 10);
            assertThatThrownBy(() ->
                            two.publish(sent(batch), new FrameWriter().begin(Wire.OK), new Budget(Long.MAX_VALUE)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(publish(two, "other", 0, new Budget(Long.MAX_VALUE), 1)).isZero();
    }

    @Test
    @DisplayName("a batch goes over several blocks, and every record is read as it was sent")
    void blocks() throws Exception {
        Topic small = new Topic("readings", 7, 1, 4 << 20, Long.MAX_VALUE);
        int records = 0;
        for (int batch = 0; batch < 9; batch++) {
            assertThat(publish(small, "publisher", batch, new Budget(Long.MAX_VALUE), 301))
                    .isEqualTo(records);
            records += 301;
        }
        int read = 0;
        while (read < records) {
            FrameWriter out = new FrameWriter().begin(Wire.OK);
            small.fetch(List.of(new Topic.Wanted(0, 7, read, Long.MAX_VALUE)), PAYLOAD_BYTES, 0, out);
            ByteBuffer answer = sent(out);
            answer.position(answer.position() + Long.BYTES + Integer.BYTES + Integer.BYTES + Long.BYTES + Long.BYTES);
            int count = answer.getInt();
            answer.getInt();
            ByteBuffer payloads = answer.duplicate();
            payloads.position(answer.position() + count * (Integer.BYTES + Long.BYTES));
            for (int i = 0; i < count; i++) {
                assertThat(payloads.get(payloads.position())).isEqualTo((byte) ((read + i) % 301));
                payloads.position(payloads.position() + RECORD_BYTES);
            }
            assertThat(payloads.hasRemaining()).isFalse();
            assertThat(count).isPositive();
            read += count;
        }
        assertThat(read).isEqualTo(records);
    }

    /** Records of which each begins with its number in the batch; returns the offset of the first. */
    private static long publish(Topic topic, String publisher, long sequence, Budget budget, int records)
            throws IOException {
        FrameWriter batch = new FrameWriter().begin(Wire.PUBLISH);
        batch.text(publisher).number(1L).number(sequence).number(1).number(0);
        batch.number(records).number(records * RECORD_BYTES);
        for (int i = 1; i <= records; i++) {
            batch.number(i * RECORD_BYTES);
        }
        for (int i = 0; i < records; i++) {
            batch.number(0L);
        }
        for (int i = 0; i < records; i++) {
            byte[] payload = new byte[RECORD_BYTES];
            payload[0] = (byte) i;
            batch.bytes(payload, 0, RECORD_BYTES);
        }
        FrameWriter out = new FrameWriter().begin(Wire.OK);
        topic.publish(sent(batch), out, budget);
        ByteBuffer answer = sent(out);
        answer.position(answer.position() + Integer.BYTES + Long.BYTES + Integer.BYTES);
        return answer.getLong();
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
