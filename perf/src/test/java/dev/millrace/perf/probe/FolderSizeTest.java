package dev.millrace.perf.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderSizeTest {
    @TempDir
    Path folder;

    @Test
    void allFilesAtAnyDepthCount() throws IOException {
        Files.write(folder.resolve("a"), new byte[1000]);
        Files.write(Files.createDirectories(folder.resolve("b/c")).resolve("d"), new byte[234]);
        assertThat(FolderSize.bytes(folder)).isEqualTo(1234);
    }

    @Test
    void ofAFolderThatIsNotThereNothingIsKnown() {
        assertThat(FolderSize.bytes(folder.resolve("none"))).isNaN();
    }
}
