package dev.millrace.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.state.StateDisk.Look;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The disk of RocksDB's directory")
class StateDiskTest {
    @TempDir
    private Path directory;

    @Test
    @DisplayName("is tried by synced writes and left as it was")
    void look() throws IOException {
        Path missing = directory.resolve("rocksdb");
        Look look = StateDisk.watching(missing).last();
        assertThat(look.syncsPerSecond()).isPositive();
        assertThat(look.freeBytes()).isPositive();
        try (Stream<Path> left = Files.list(missing)) {
            assertThat(left).isEmpty();
        }
        assertThat(StateDisk.watching(directory.resolve("./rocksdb")))
                .as("one for each directory")
                .isSameAs(StateDisk.watching(missing));
    }

    @Test
    @DisplayName("that cannot be written is neither fast nor slow, and harms nobody")
    void notWritable() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");
        Look look = StateDisk.look(file.resolve("below-a-file"));
        assertThat(look.syncsPerSecond()).isNaN();
        assertThat(look.isSlow()).isFalse();
    }

    @Test
    @DisplayName("is slow below 500 synced writes a second, and the sentence names it")
    void slow() {
        Look slow = new Look(238.4, 3L << 29);
        assertThat(slow.isSlow()).isTrue();
        assertThat(new Look(501, 0).isSlow()).isFalse();
        assertThat(StateDisk.sentence(Path.of("/mnt/state"), slow))
                .isEqualTo("the disk of /mnt/state does 238 synced writes of 4 KiB a second and has 1.5 GiB free");
    }
}
