package dev.millrace.connectors.api.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.window.DeviceWindow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @TempDir
    Path directory;

    private final StoreWriter<DeviceWindow> writer =
            new StoreWriter<>(StoreTable.WINDOWS, (row, encoder) -> encoder.add(row), 2, Optional.empty(), 0, 1, 4);

    @Test
    @DisplayName("cuts full blocks and lets only the last one report the watermark")
    void blocks() throws IOException {
        writer.writeWatermark(new Watermark(10));
        assertThat(writer.prepareCommit()).hasSize(1);
        for (int i = 0; i < 5; i++) {
            writer.write(RowBinaryTest.window("d" + i, 20_000), CONTEXT);
        }
        writer.writeWatermark(new Watermark(19_999));
        List<StoreBlock> blocks = blocks(writer.prepareCommit());
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
        assertThat(blocks(writer.prepareCommit())).extracting(StoreBlock::rows).containsExactly(0);
        assertThat(writer.prepareCommit()).isEmpty();
    }

    @Test
    @DisplayName("reports that everything is complete at the end of the input, even when the last block was just full")
    void endOfInput() throws IOException {
        writer.write(RowBinaryTest.window("a", 20_000), CONTEXT);
        writer.write(RowBinaryTest.window("b", 20_000), CONTEXT);
        writer.flush(true);
        assertThat(blocks(writer.prepareCommit()))
                .extracting(StoreBlock::watermark)
                .containsExactly(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    @Test
    @DisplayName("gives the checkpoint a block that comes back whole, also one that an earlier release wrote")
    void serializer() throws IOException {
        writer.write(RowBinaryTest.window("a", 20_000), CONTEXT);
        PendingBlock block = writer.prepareCommit().get(0);
        PendingBlockSerializer serializer = new PendingBlockSerializer();
        byte[] bytes = serializer.serialize(block);
        assertThat(serializer.deserialize(serializer.getVersion(), bytes))
                .usingRecursiveComparison()
                .isEqualTo(block);
        // Version 1 had no file behind the block: an empty text of two bytes now.
        assertThat(serializer.deserialize(1, Arrays.copyOf(bytes, bytes.length - 2)))
                .usingRecursiveComparison()
                .isEqualTo(block);
        assertThatThrownBy(() -> serializer.deserialize(3, bytes)).hasMessageContaining("version 3");
    }

    @Test
    @DisplayName("puts into files what its memory does not hold, and each of them is inserted once and then gone")
    void files() throws Exception {
        String uri = directory.resolve("rows").toUri().toString();
        StoreSink<DeviceWindow> sink =
                StoreSink.windows("none", Options.none()).withBlockRows(2).withFilesIn(uri, 1000);
        StoreWriter<DeviceWindow> small = new StoreWriter<>(
                StoreTable.WINDOWS,
                (row, encoder) -> encoder.add(row),
                2,
                Optional.of(new BlockFiles(uri)),
                1000,
                0,
                1);
        for (int i = 0; i < 7; i++) {
            small.write(RowBinaryTest.window("d" + i, 20_000), CONTEXT);
        }
        List<PendingBlock> blocks = small.prepareCommit();
        assertThat(blocks).extracting(PendingBlock::isInFile).containsExactly(false, true, true, false);
        PendingBlock first = blocks.get(1);
        assertThat(first.block().bytes()).isEmpty();
        PendingBlock again = sink.getCommittableSerializer()
                .deserialize(2, sink.getCommittableSerializer().serialize(first));
        assertThat(again).usingRecursiveComparison().isEqualTo(first);
        RowBinary.Decoder rows = new RowBinary.Decoder(
                new ByteArrayInputStream(BlockFiles.read(first.file()).orElseThrow()));
        assertThat(rows.nextWindow()).isEqualTo(RowBinaryTest.window("d2", 20_000));

        BlockFiles.done(first.file());
        assertThat(BlockFiles.read(first.file())).isEmpty();
        BlockFiles.done(first.file());
        assertThat(names())
                .containsExactlyInAnyOrder(
                        first.block().token() + ".done", blocks.get(2).block().token());
        assertThatThrownBy(() -> BlockFiles.read(uri + "/nobody"))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("nobody");

        new BlockFiles(uri).sweep(Duration.ofMinutes(1), () -> false);
        assertThat(names()).hasSize(2);
        new BlockFiles(uri).sweep(Duration.ofMinutes(-1), () -> true);
        assertThat(names()).hasSize(2);
        new BlockFiles(uri).sweep(Duration.ofMinutes(-1), () -> false);
        assertThat(names()).isEmpty();
        new BlockFiles(uri + "/not-there").sweep(Duration.ZERO, () -> false);
    }

    @Test
    @DisplayName("a writer that ends before its checkpoint leaves no file, and one that was handed out stays")
    void filesOfAFailedAttempt() throws Exception {
        StoreWriter<DeviceWindow> writer = new StoreWriter<>(
                StoreTable.WINDOWS,
                (row, encoder) -> encoder.add(row),
                2,
                Optional.of(new BlockFiles(directory.resolve("rows").toUri().toString())),
                0,
                0,
                1);
        for (int i = 0; i < 2; i++) {
            writer.write(RowBinaryTest.window("d" + i, 20_000), CONTEXT);
        }
        StoreBlock handedOut = writer.prepareCommit().get(0).block();
        for (int i = 0; i < 4; i++) {
            writer.write(RowBinaryTest.window("d" + i, 20_000), CONTEXT);
        }
        assertThat(names()).hasSize(3);
        writer.close();
        assertThat(names()).containsExactly(handedOut.token());
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("rows"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .toList();
        }
    }

    private static List<StoreBlock> blocks(List<PendingBlock> pending) {
        return pending.stream().map(PendingBlock::block).toList();
    }
}
