package dev.millrace.perf.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageAgentTest {
    @TempDir
    Path root;

    @Test
    @DisplayName("what the kernel does not tell is left out, and is no 0")
    void leftOut() {
        assertThat(UsageAgent.text(root).lines())
                .anyMatch(line -> line.startsWith("clockNanos "))
                .noneMatch(line -> line.matches("(residentBytes|writtenBytes|memoryPeakBytes).*"));
    }

    @Test
    @DisplayName("what it tells is there, a 0 too")
    void told() throws IOException {
        Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(root.resolve("proc/self/status"), "Name:\tjava\nVmRSS:\t     7 kB\n");
        Files.writeString(root.resolve("proc/self/io"), "rchar: 3\nwrite_bytes: 0\n");
        Files.createDirectories(root.resolve("sys/fs/cgroup"));
        Files.writeString(root.resolve("sys/fs/cgroup/memory.peak"), "4096\n");
        assertThat(UsageAgent.text(root).lines())
                .contains("residentBytes 7168", "writtenBytes 0", "memoryPeakBytes 4096")
                .endsWith("");
    }
}
