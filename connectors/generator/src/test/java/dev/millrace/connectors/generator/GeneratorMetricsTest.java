package dev.millrace.connectors.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GeneratorMetricsTest {
    @Test
    void sendsAreCountedInBucketsThatBeginBelowAMillisecond() {
        GeneratorMetrics metrics = new GeneratorMetrics();
        metrics.latency(-5);
        metrics.latency(150);
        metrics.latency(700);
        metrics.latency(2_000_000);
        String page = metrics.scrape();
        assertThat(page).contains("millrace_generator_send_latency_seconds_bucket{le=\"1.0E-4\"} 1");
        assertThat(page).containsPattern(bucket("8\\.\\d+E-4", 3)).containsPattern(bucket("60\\.0", 4));
        assertThat(page).containsPattern(bucket("\\+Inf", 4)).contains("millrace_generator_send_early_total 1.0");
    }

    @Test
    void nothingIsCountedBeforeItIsKnownWhatWasSent() {
        GeneratorMetrics metrics = new GeneratorMetrics();
        assertThat(metrics.scrape()).doesNotContain("millrace_generator_readings_sent_total");
        assertThat(metrics.rate()).isZero();
    }

    private static Pattern bucket(String bound, int count) {
        return Pattern.compile(
                "millrace_generator_send_latency_seconds_bucket\\{le=\"" + bound + "\"} " + count + "\n");
    }
}
