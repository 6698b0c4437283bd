package dev.millrace.perf.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.StackSettings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StackMeasurementTest {
    private static Duration rowsBound(String checkpointInterval) {
        return StackMeasurement.rowsBound(StackSettings.bind(
                "test", Options.of(Map.of("broker", "north", "checkpoint-interval", checkpointInterval))));
    }

    @Test
    void rowsThatComeWithTheNextCheckpointAreWaitedFor() {
        assertThat(rowsBound("1s")).isEqualTo(Duration.ofSeconds(31));
        assertThat(rowsBound("2m")).isEqualTo(Duration.ofSeconds(150));
    }
}
