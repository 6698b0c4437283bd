package dev.millrace.connectors.api.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A group reader's chunks")
class SplitGroupReaderTest {
    private final ChunkPool pool = new ChunkPool();

    @Test
    @DisplayName("are all of a fetch, and good until the next call, whatever is made of the pool meanwhile")
    void untilTheNextCall() {
        try (SplitGroupReader<Split> reader = new SplitGroupReader<>(
                "test", new Fetches(), Map.of(0, new Split("0"), 1, new Split("1")), new Nobody())) {
            for (int fetch = 0; fetch < 3; fetch++) {
                List<PayloadChunk> chunks = reader.poll();
                for (int i = 0; i < 4; i++) {
                    chunk(9, 9);
                }
                List<String> payloads = new ArrayList<>();
                for (PayloadChunk chunk : chunks) {
                    payloads.add(new String(chunk.payload(0), StandardCharsets.UTF_8) + " at "
                            + chunk.position(0).minor());
                }
                assertThat(payloads).containsExactly("0-0 at 0", "0-1 at 1", "1-0 at 0", "1-1 at 1");
            }
        }
    }

    private PayloadChunk chunk(int partition, int number) {
        ChunkBuilder builder = new ChunkBuilder(partition, 16, pool);
        byte[] payload = (partition + "-" + number).getBytes(StandardCharsets.UTF_8);
        builder.add(payload, 0, payload.length, 0, 0, number);
        return builder.build(false);
    }

    private record Split(String splitId) implements SourceSplit {}

    private static final class Nobody implements PositionCommitter {
        @Override
        public void commit(Map<String, Position> positions) {
            // No position is reported here.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    /** Each of two splits with two chunks, made when they are asked for. */
    private final class Fetches implements SplitReader<PayloadChunk, Split> {
        @Override
        public RecordsWithSplitIds<PayloadChunk> fetch() {
            return new ChunkBatch().add("0", chunks(0)).add("1", chunks(1));
        }

        private Iterator<PayloadChunk> chunks(int partition) {
            return IntStream.range(0, 2)
                    .mapToObj(number -> chunk(partition, number))
                    .iterator();
        }

        @Override
        public void handleSplitsChanges(SplitsChange<Split> change) {
            assertThat(change.splits()).hasSize(2);
        }

        @Override
        public void wakeUp() {
            // Nobody waits.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
