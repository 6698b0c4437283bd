package dev.millrace.brokers.memory.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TopicsTest {
    private static final long MIB = 1 << 20;
    private static final int PAYLOAD_BYTES = 1000;

    private final Topics topics = new Topics(4 * MIB);

    @Test
    @DisplayName("what topics are promised fits all together, or the one that is too much is refused when it is made")
    void promises() {
        topics.create("readings", 4, 1, 2 * MIB, 1000);
        topics.create("readings", 4, 1, 2 * MIB, 1000);
        assertThatThrownBy(() -> topics.create("windows", 4, 1, 2 * MIB, 1000))
                .isInstanceOf(WrongRequestException.class)
                .hasMessageContaining("topic 'windows' is to keep 2097152 bytes in 4 partitions")
                .hasMessageContaining("other topics are promised 2359296")
                .hasMessageContaining("the option 'memory'");
        assertThat(topics.find("windows")).isNull();
        topics.create("unbounded", 4, 1, -1, 1000);
        topics.create("windows", 1, 1, MIB, 1000);
        topics.delete("readings");
        topics.create("again", 4, 1, 2 * MIB, 1000);
    }

    @Test
    @DisplayName("partitions that do not fit the server's memory are refused, and the topic stays as it was")
    void partitionsWithoutRoom() {
        topics.create("readings", 4, 1, 3 * MIB, 1000);
        assertThatThrownBy(() -> topics.addPartitions("readings", 64))
                .isInstanceOf(WrongRequestException.class)
                .hasMessageContaining("in 64 partitions");
        assertThat(topics.existing("readings").partitions()).isEqualTo(4);
    }

    @Test
    @DisplayName("a topic that got more partitions keeps what it is to keep, and no more than the server has room for")
    void morePartitions() throws IOException {
        topics.create("readings", 4, 1, 3 * MIB, Long.MAX_VALUE);
        Topic topic = topics.existing("readings");
        for (int i = 0; i < 8_000; i++) {
            publish(topic, i % 4, i);
        }
        topics.addPartitions("readings", 8);
        for (int i = 8_000; i < 24_000; i++) {
            int record = i;
            assertThatCode(() -> publish(topic, record % 8, record)).doesNotThrowAnyException();
        }
        assertThat(topic.keptBytes()).isBetween(3 * MIB, 4 * MIB);
    }

    private void publish(Topic topic, int partition, long sequence) throws IOException {
        FrameWriter batch = new FrameWriter().begin(Wire.PUBLISH);
        batch.text("publisher").number(1L).number(sequence);
        batch.number(1).number(partition).number(1).number(PAYLOAD_BYTES);
        batch.number(PAYLOAD_BYTES).number(0L).bytes(new byte[PAYLOAD_BYTES], 0, PAYLOAD_BYTES);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        batch.send(bytes);
        ByteBuffer arrived = new FrameReader(new ByteArrayInputStream(bytes.toByteArray())).next();
        arrived.get();
        topic.publish(arrived, new FrameWriter().begin(Wire.OK), topics.budget());
    }
}
