package dev.millrace.brokers.pulsar.baseline.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.baseline.LoadTool;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PulsarLoadToolTest {
    /** Of a run that was told to send 200,000 readings as fast as it could. */
    private static List<String> output() throws IOException {
        try (InputStream in = PulsarLoadToolTest.class.getResourceAsStream("tool-output.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    @Test
    @DisplayName("figures are the aggregated ones, which are of the whole run")
    void figures() throws IOException {
        assertThat(new PulsarLoadTool().summary(output()))
                .isEqualTo(new LoadTool.Summary(205_809, 9953.400, 258.830, 396.953));
    }

    @Test
    @DisplayName("a run that was cut off has no figures, although it had some for its first seconds")
    void cutOff() throws IOException {
        List<String> output = output();
        List<String> firstSeconds = output.subList(0, output.size() - 2);
        assertThat(firstSeconds.get(firstSeconds.size() - 1)).startsWith("Throughput produced");
        assertThatThrownBy(() -> new PulsarLoadTool().summary(firstSeconds))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("aggregated");
    }

    @Test
    @DisplayName("a setting that the plugin takes and the tool has no word for is refused, never left out in silence")
    void unknownSetting(@TempDir Path folder) {
        Options options = Options.of(
                Map.of("address", "127.0.0.1:6650", "producer.roundRobinRouterBatchingPartitionSwitchFrequency", "3"));
        assertThatThrownBy(() -> new PulsarLoadTool().start(options, new LoadTool.Load("load", 1, 300, 10, 0), folder))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("roundRobinRouterBatchingPartitionSwitchFrequency");
    }
}
