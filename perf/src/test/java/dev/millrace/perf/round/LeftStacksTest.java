package dev.millrace.perf.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.local.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What a benchmark that was killed left")
class LeftStacksTest {
    private static final Duration BOUND = Duration.ofSeconds(10);

    @TempDir
    Path base;

    @Test
    @DisplayName("a server without a stack is stopped before anything else is measured, and no other process")
    void server() {
        List<String> sleep = List.of("sleep", "60");
        Path folder = LeftStacks.server(LeftStacks.alone(base, "somewhere"));
        ServerProcess left = ServerProcess.start("server", folder, sleep, Map.of());
        ServerProcess other = ServerProcess.start("server", base.resolve("somewhere/broker"), sleep, Map.of());
        try {
            List<String> said = new ArrayList<>();
            LeftStacks.remove(base, said::add);
            assertThat(said).containsExactly("stopping a server that was left in " + folder);
            assertThat(ServerProcess.running("server", folder)).isEmpty();
            assertThat(other.isAlive()).isTrue();
        } finally {
            left.stop(BOUND);
            other.stop(BOUND);
        }
    }
}
