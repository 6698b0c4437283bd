package dev.millrace.deploy.kubernetes.production;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ToldAlikeTest {
    @Test
    @DisplayName("the same, however a time is written and whatever else is in the files, is no problem")
    void alike() {
        assertThat(ToldAlike.problems(
                        Map.of("window", "60s", "store", "clickhouse", "store-url", "https://x", "rate", "7"),
                        Map.of("window", "1m", "store", "clickhouse", "store.url", "https://x", "topic", "t")))
                .isEmpty();
    }

    @Test
    @DisplayName("each that is told otherwise, or to one alone, is said with both files' words")
    void otherwise() {
        assertThat(ToldAlike.problems(
                        Map.of("window", "10s", "store", "clickhouse", "store-url", "https://x"),
                        Map.of(
                                "window",
                                "60s",
                                "store",
                                "clickhouse",
                                "store.url",
                                "https://y",
                                "store.retention",
                                "7d")))
                .containsExactlyInAnyOrder(
                        "stack.properties has window=10s and job.properties has window=60s; the job, and all that look at it,"
                                + " must be told the same",
                        "stack.properties has store-url=https://x and job.properties has store.url=https://y; the job, and all"
                                + " that look at it, must be told the same",
                        "stack.properties has no store.retention and job.properties has store.retention=7d; the job, and all"
                                + " that look at it, must be told the same");
    }
}
