package dev.millrace.connectors.api.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.PayloadChunk;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A chunk's memory")
class ChunkPoolTest {
    private static final int RECORDS = 1_000;

    private final ChunkPool pool = new ChunkPool();

    @Test
    @DisplayName("is filled again once the task asks for the next chunk, not before, and by builders of any partition")
    void usedAgain() {
        PayloadChunk first = filled(new ChunkBuilder(0, 16, pool), 1).build(false);
        ChunkBatch batch = new ChunkBatch().add("0", first);
        PayloadChunk second = filled(new ChunkBuilder(1, 16, pool), 2).build(false);
        assertThat(second.bytes()).isNotSameAs(first.bytes());
        requirePayloads(first, 1);
        PayloadChunk copy = first.copy();

        assertThat(batch.nextSplit()).isEqualTo("0");
        assertThat(batch.nextRecordFromSplit()).isSameAs(first);
        assertThat(filled(new ChunkBuilder(1, 16, pool), 4).build(false).bytes())
                .isNotSameAs(first.bytes());
        assertThat(batch.nextRecordFromSplit()).isNull();
        PayloadChunk third = filled(new ChunkBuilder(2, 16, pool), 3).build(true);
        assertThat(third.bytes()).isSameAs(first.bytes());
        requirePayloads(second, 2);
        requirePayloads(third, 3);
        requirePayloads(copy, 1);
        assertThat(third.partition()).isEqualTo(2);
        assertThat(third.atEnd()).isTrue();
    }

    @Test
    @DisplayName("is taken back once, however often the chunk is recycled")
    void takenBackOnce() {
        PayloadChunk chunk = filled(new ChunkBuilder(0, 16, pool), 1).build(false);
        chunk.recycle();
        chunk.recycle();
        PayloadChunk one = filled(new ChunkBuilder(0, 16, pool), 2).build(false);
        PayloadChunk other = filled(new ChunkBuilder(0, 16, pool), 3).build(false);
        assertThat(one.bytes()).isNotSameAs(other.bytes());
        requirePayloads(one, 2);
    }

    @Test
    @DisplayName("serves chunks that differ in size, and is not kept beyond a bound")
    void bounded() {
        List<PayloadChunk> chunks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ChunkBuilder builder = new ChunkBuilder(0, 16, pool);
            builder.add(new byte[1 << 20], 0, 1 << 20, 0, 0, 0);
            chunks.add(builder.build(false));
        }
        chunks.forEach(PayloadChunk::recycle);
        int usedAgain = 0;
        for (int i = 0; i < 100; i++) {
            PayloadChunk small = filled(new ChunkBuilder(0, 16, pool), i).build(false);
            requirePayloads(small, i);
            usedAgain += small.bytes().length == 1 << 20 ? 1 : 0;
        }
        assertThat(usedAgain).isBetween(32, 64);
    }

    private static ChunkBuilder filled(ChunkBuilder builder, int seed) {
        for (int i = 0; i < RECORDS; i++) {
            byte[] payload = payload(seed, i);
            builder.add(payload, 0, payload.length, i, 7, i);
        }
        return builder;
    }

    private static byte[] payload(int seed, int i) {
        return (seed + "-" + i).getBytes();
    }

    private static void requirePayloads(PayloadChunk chunk, int seed) {
        assertThat(chunk.count()).isEqualTo(RECORDS);
        for (int i = 0; i < RECORDS; i++) {
            assertThat(chunk.payload(i)).isEqualTo(payload(seed, i));
            assertThat(chunk.position(i).minor()).isEqualTo(i);
        }
    }
}
