package dev.millrace.perf.run.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.probe.ProcessUse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SamplerTest {
    @Test
    @DisplayName("memory that is not known is in no sample")
    void memory() {
        Duration cpu = Duration.ofSeconds(1);
        assertThat(Sampler.residentMiB(Map.of(
                        "known",
                        new ProcessUse(cpu, 3 << 20, 0),
                        "unknown",
                        new ProcessUse(cpu, Double.NaN, Double.NaN))))
                .containsExactly(Map.entry("known", 3.0));
    }
}
