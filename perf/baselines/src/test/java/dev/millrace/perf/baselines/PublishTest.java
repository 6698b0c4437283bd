package dev.millrace.perf.baselines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.deploy.command.Millrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole benchmark, tiny, on the first broker with baselines; the load tools of all have tests of their own. */
@Tag("server")
class PublishTest {
    @TempDir
    Path base;

    @Test
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    @DisplayName("every side fills a topic with what it was told to send, at full speed and at a rate")
    void everySide() throws IOException {
        String broker = Built.brokerWith("raw");
        int code = Millrace.run(
                "benchmark",
                "publish",
                "--brokers",
                broker,
                "--readings",
                "1500000",
                "--seconds",
                "10",
                "--warm-up-rounds",
                "0",
                "--rounds",
                "1",
                "--run-dir",
                base.toString());
        JsonNode result = Built.result(base);
        assertThat(result.path("runs")).hasSize(6).allSatisfy(run -> {
            assertThat(run.path("sent").asLong())
                    .isGreaterThanOrEqualTo(run.path("readings").asLong());
            assertThat(run.path("stored").asLong()).isEqualTo(run.path("sent").asLong());
            assertThat(run.path("p99Millis").asDouble()).isPositive();
        });
        assertThat(result.path("runs").findValuesAsText("side")).containsOnly("generator", "publisher", "tool");
        assertThat(result.path("tools").path(broker).asText()).isNotBlank();
        assertThat(code).isZero();
        assertThat(base.resolve(broker).resolve("publish").resolve("broker"))
                .as("nothing is left but logs")
                .doesNotExist();
    }
}
