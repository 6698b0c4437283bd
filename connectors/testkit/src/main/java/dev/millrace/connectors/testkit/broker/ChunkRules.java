package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.util.List;
import java.util.Map;

/** What holds for every chunk of every broker. */
final class ChunkRules {
    private ChunkRules() {}

    /** Checks one chunk against itself and against the last position of its partition, which is then moved on. */
    static void check(PayloadChunk chunk, Map<Integer, Position> lastOfPartition) {
        if (chunk.count() == 0) {
            assertThat(chunk.atEnd()).as("an empty chunk only says the end").isTrue();
            return;
        }
        int end = 0;
        Position last = lastOfPartition.get(chunk.partition());
        for (int i = 0; i < chunk.count(); i++) {
            // What lies between two payloads (a record's header, a key) belongs to none.
            assertThat(chunk.start(i)).as("start of %d", i).isGreaterThanOrEqualTo(end);
            assertThat(chunk.end(i)).as("end of %d", i).isGreaterThanOrEqualTo(chunk.start(i));
            end = chunk.end(i);
            if (last != null) {
                assertThat(chunk.position(i)).as("position of %d", i).isGreaterThan(last);
            }
            last = chunk.position(i);
        }
        assertThat(chunk.bytes().length).isGreaterThanOrEqualTo(end);
        lastOfPartition.put(chunk.partition(), last);
    }

    /** Checks that of one partition's chunks none says the end before all {@code records} have come. */
    static void checkEnd(List<PayloadChunk> chunks, int records) {
        int read = 0;
        for (PayloadChunk chunk : chunks) {
            read += chunk.count();
            assertThat(chunk.atEnd() && read < records)
                    .as("the end is confirmed behind record %d of %d", read, records)
                    .isFalse();
        }
    }
}
