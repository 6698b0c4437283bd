package dev.millrace.perf.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchmarkTest {
    @Test
    void aVerdictIsWithheldForTheCausesThereAreAndNoOther() {
        assertThat(Benchmark.withheld(true, true, "")).isEmpty();
        assertThat(Benchmark.withheld(false, true, "")).isEqualTo("the memory budget was not enforced");
        assertThat(Benchmark.withheld(true, false, "")).isEqualTo("the brokers have different numbers of replicas");
        assertThat(Benchmark.withheld(true, true, "all ran on one node")).isEqualTo("all ran on one node");
        assertThat(Benchmark.withheld(false, false, ""))
                .isEqualTo("the memory budget was not enforced and the brokers have different numbers of replicas");
    }
}
