package dev.millrace.perf.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a topic is read to where it was to be read. */
class TopicReadTest {
    private static PayloadChunk chunk(int partition, long... offsets) {
        return new PayloadChunk(
                partition,
                offsets.length,
                new byte[0],
                new int[offsets.length],
                new long[offsets.length],
                0,
                offsets,
                false);
    }

    private static Position at(long offset) {
        return new Position(0, offset);
    }

    @Test
    void nobodyHasAskedForAnEnd() {
        TopicRead read = new TopicRead(Map.of(0, at(5)));
        read.add(List.of(chunk(0, 5, 6)));
        assertThat(read.isAtEnd()).isFalse();
        assertThat(read.first()).isEqualTo(Map.of(0, at(5)));
        assertThat(read.last()).isEqualTo(Map.of(0, at(6)));
    }

    @Test
    void theEndMayHaveBeenPassedAlready() {
        TopicRead read = new TopicRead(Map.of(0, at(5)));
        read.add(List.of(chunk(0, 5, 6, 7)));
        read.until(Map.of(0, at(6)));
        read.add(List.of());
        assertThat(read.isAtEnd()).isTrue();
    }

    @Test
    void oneRecordThatWasNotReadIsLeft() {
        TopicRead read = new TopicRead(Map.of(0, at(5), 1, at(9)));
        read.until(Map.of(0, at(6), 1, at(9)));
        read.add(List.of());
        assertThat(read.isAtEnd()).isFalse();
        read.add(List.of(chunk(0, 5)));
        assertThat(read.isAtEnd()).as("nothing came to partition 1").isTrue();
    }

    @Test
    void aTopicReadFromItsOldestIsAtItsEndWhenEveryPartitionIs() {
        TopicRead read = new TopicRead(Map.of());
        read.until(Map.of(0, at(2), 1, at(1)));
        read.add(List.of(chunk(0, 0, 1)));
        assertThat(read.isAtEnd()).isFalse();
        read.add(List.of(chunk(1, 0)));
        assertThat(read.isAtEnd()).isTrue();
    }
}
