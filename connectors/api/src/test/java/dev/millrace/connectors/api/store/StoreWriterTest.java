package dev.millrace.connectors.api.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.window.DeviceWindow;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The writer of the store's sink")
class StoreWriterTest {
    private static final SinkWriter.Context CONTEXT = new SinkWriter.Context() {
        @Override
        public long currentWatermark() {
            return 0;
        }

        @Override
        public Long timestamp() {
            return null;
        }
    };

    private final StoreWriter<DeviceWindow> writer =
            new StoreWriter<>(StoreTable.WINDOWS, (row, encoder) -> encoder.add(row), 2, 1, 4);

    @Test
    @DisplayName("cuts full blocks and lets only the last one report the watermark")
    void blocks() throws IOException {
        writer.writeWatermark(new Watermark(10));
        assertThat(writer.prepareCommit()).hasSize(1);
        for (int i = 0; i < 5; i++) {
            writer.write(RowBinaryTest.window("d" + i, 20_000), CONTEXT);
        }
        writer.writeWatermark(new Watermark(19_999));
        List<StoreBlock> blocks = writer.prepareCommit();
        assertThat(blocks).extracting(StoreBlock::rows).containsExactly(2, 2, 1);
        assertThat(blocks).extracting(StoreBlock::watermark).containsExactly(10L, 10L, 19_999L);
        assertThat(blocks).extracting(StoreBlock::token).doesNotHaveDuplicates();
        assertThat(blocks).allMatch(block -> block.writer() == 1 && block.writers() == 4);
    }

    @Test
    @DisplayName("reports a watermark that moved without rows, once")
    void watermarkOnly() {
        assertThat(writer.prepareCommit()).isEmpty();
        writer.writeWatermark(new Watermark(5));
        assertThat(writer.prepareCommit()).extracting(StoreBlock::rows).containsExactly(0);
        assertThat(writer.prepareCommit()).isEmpty();
    }

    @Test
    @DisplayName("reports that everything is complete at the end of the input, even when the last block was just full")
    void endOfInput() throws IOException {
        writer.write(RowBinaryTest.window("a", 20_000), CONTEXT);
        writer.write(RowBinaryTest.window("b", 20_000), CONTEXT);
        writer.flush(true);
        assertThat(writer.prepareCommit())
                .extracting(StoreBlock::watermark)
                .containsExactly(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    @Test
    @DisplayName("gives the checkpoint a block that comes back whole")
    void serializer() throws IOException {
        writer.write(RowBinaryTest.window("a", 20_000), CONTEXT);
        StoreBlock block = writer.prepareCommit().get(0);
        StoreBlockSerializer serializer = new StoreBlockSerializer();
        StoreBlock back = serializer.deserialize(serializer.getVersion(), serializer.serialize(block));
        assertThat(back).usingRecursiveComparison().isEqualTo(block);
    }
}
