package dev.millrace.deploy.look;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SendBucketsTest {
    private static SendBuckets page(long toOne, long toTwo, long toFour, long all) {
        return SendBuckets.of(
                        """
                        # TYPE millrace_generator_send_latency_seconds histogram
                        millrace_generator_send_latency_seconds_bucket{le="0.001"} %d
                        millrace_generator_send_latency_seconds_bucket{le="0.002"} %d
                        millrace_generator_send_latency_seconds_bucket{le="0.004"} %d
                        millrace_generator_send_latency_seconds_bucket{le="+Inf"} %d
                        millrace_generator_send_latency_seconds_count %d
                        millrace_generator_send_latency_seconds_max 0.0035
                        """
                                .formatted(toOne, toTwo, toFour, all, all))
                .orElseThrow();
    }

    @Test
    void quantilesAreOfTheSendsInBetween() {
        SendBuckets before = page(1_000_000, 1_000_000, 1_000_000, 1_000_000);
        assertThat(page(1_000_000, 1_000_080, 1_000_100, 1_000_100).since(before))
                .contains(new SendQuantiles(1.625, 3.9));
    }

    @Test
    void whatIsSlowerThanAnyBoundCountsAsTheGreatest() {
        assertThat(page(5, 5, 5, 10).since(page(5, 5, 5, 5))).contains(new SendQuantiles(4, 4));
    }

    @Test
    void withoutASendInBetweenThereAreNone() {
        assertThat(page(5, 6, 7, 8).since(page(5, 6, 7, 8))).isEmpty();
    }

    @Test
    void aGeneratorThatStartedAgainCountsAnew() {
        assertThat(page(0, 0, 20, 20).since(page(5, 6, 7, 8))).isEmpty();
    }

    @Test
    void aPageWithoutBucketsHasNone() {
        assertThat(SendBuckets.of("")).isEmpty();
        assertThat(SendBuckets.of("millrace_generator_readings_sent_total 5.0\n"))
                .isEmpty();
    }
}
