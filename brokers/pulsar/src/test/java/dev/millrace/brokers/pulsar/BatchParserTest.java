package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.reader.ChunkBuilder;
import dev.millrace.core.reading.PayloadChunk;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pulsar.common.api.proto.SingleMessageMetadata;
import org.apache.pulsar.common.protocol.Commands;
import org.apache.pulsar.shade.io.netty.buffer.ByteBuf;
import org.apache.pulsar.shade.io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

/** Batches are made by the client's own code. */
class BatchParserTest {
    private final ByteBuf batch = Unpooled.buffer();
    private final ChunkBuilder chunk = new ChunkBuilder(3, 1024);

    private void message(String payload, SingleMessageMetadata metadata) {
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        Commands.serializeSingleMessageInBatchWithPayload(metadata, Unpooled.wrappedBuffer(bytes), batch);
    }

    private List<String> parse(ByteBuffer entry, int from, int to) {
        new BatchParser().parse(chunk.copy(entry), from, to, chunk, 99, 7, 5);
        PayloadChunk built = chunk.build(false);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < built.count(); i++) {
            texts.add(new String(built.payload(i), StandardCharsets.UTF_8) + "@"
                    + PulsarPositions.index(built.position(i)));
        }
        return texts;
    }

    @Test
    void everyFieldOfTheMetadataIsReadOver() {
        SingleMessageMetadata full = new SingleMessageMetadata()
                .setPartitionKey("device-1")
                .setPartitionKeyB64Encoded(true)
                .setEventTime(1_700_000_000_000L)
                .setOrderingKey(new byte[] {1, 2, 3})
                .setSequenceId(Long.MAX_VALUE)
                .setNullPartitionKey(false);
        full.addProperty().setKey("k").setValue("v".repeat(300));
        message("first", full);
        message("", new SingleMessageMetadata());
        message("third", new SingleMessageMetadata().setSequenceId(-1));
        assertThat(parse(batch.nioBuffer(), 0, 3)).containsExactly("first@0", "@1", "third@2");
    }

    @Test
    void whatIsCompactedOutIsLeftOutAndAMessageWithoutValueIsEmpty() {
        message("gone", new SingleMessageMetadata().setCompactedOut(true));
        message("there", new SingleMessageMetadata());
        message("ignored", new SingleMessageMetadata().setNullValue(true));
        message("last", new SingleMessageMetadata());
        assertThat(parse(batch.nioBuffer(), 0, 4)).containsExactly("there@1", "@2", "last@3");
    }

    @Test
    void onlyTheMessagesBetweenFromAndToAreTaken() {
        IntStream.range(0, 1_000).forEach(i -> message("m" + i, new SingleMessageMetadata()));
        List<String> taken = parse(batch.nioBuffer(), 400, 600);
        assertThat(taken).hasSize(200).startsWith("m400@400").endsWith("m599@599");
    }

    @Test
    void aBufferOfTheHeapAndOneOutsideGiveTheSame() {
        IntStream.range(0, 50).forEach(i -> message("m" + i, new SingleMessageMetadata().setPartitionKey("k" + i)));
        ByteBuffer outside = ByteBuffer.allocateDirect(batch.readableBytes());
        outside.put(batch.nioBuffer()).flip();
        assertThat(parse(outside, 0, 50)).isEqualTo(parse(batch.nioBuffer(), 0, 50));
    }

    @Test
    void aBatchThatIsCutShortOrNoBatchIsRefused() {
        IntStream.range(0, 3).forEach(i -> message("message " + i, new SingleMessageMetadata()));
        ByteBuffer whole = batch.nioBuffer();
        for (int cut = 0; cut < whole.limit(); cut++) {
            ByteBuffer shorter = whole.duplicate().limit(cut);
            assertThatThrownBy(() -> parse(shorter, 0, 3))
                    .isInstanceOfAny(IndexOutOfBoundsException.class, IllegalArgumentException.class);
        }
        ByteBuffer other = ByteBuffer.wrap("this is no batch at all".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> parse(other, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
