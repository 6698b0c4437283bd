package dev.millrace.brokers.kafka.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.baseline.LoadTool;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KafkaLoadToolTest {
    /** Of a run that was told to send 109,270 readings at 10,927 a second. */
    private static List<String> output() throws IOException {
        try (InputStream in = KafkaLoadToolTest.class.getResourceAsStream("tool-output.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    @Test
    @DisplayName("figures are those of the last line, which are of the whole run")
    void figures() throws IOException {
        assertThat(new KafkaLoadTool().summary(output()))
                .isEqualTo(new LoadTool.Summary(109_270, 10907.366740, 22, 408));
    }

    @Test
    @DisplayName("a run that was cut off has no figures, although it had some for its first seconds")
    void cutOff() throws IOException {
        List<String> output = output();
        assertThat(output.get(output.size() - 2)).contains("54167 records sent");
        assertThatThrownBy(() -> new KafkaLoadTool().summary(output.subList(0, output.size() - 1)))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("percentiles");
    }
}
