package dev.millrace.deploy.kubernetes.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PromQlTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '\u0001',
            value = {
                "up ; up",
                "up == 0 ; up",
                "a_total{x=\"sum(b)\"} > 1e9 ; a_total",
                "rate(a:b_total[5m]) offset 1h ; a:b_total",
                "sum by (pod, le) (rate(a{b!=\"c}d\"}[5m])) / on (pod) group_left (node) b ; a b",
                "sum(a) by (pod) or sum without (x) (b) unless bool ; a b",
                "histogram_quantile(0.99, sum by (le) (rate(a_bucket{b=~'c|d'}[$__rate_interval]))) ; a_bucket",
                "time() - max by (namespace) (a) > 86400 ; a",
                "a > bool 25 * 1024 and b < Inf ; a b",
                "clamp_min(sum(a), 1) * 1e3 # of c ; a",
                "avg_over_time(a[5m:1m]) @ end() + b ; a b",
                "12 > 0x1F ;",
            })
    @DisplayName("the metrics of an expression are found, and nothing else")
    void metrics(String expression, String metrics) {
        assertThat(PromQl.metrics(expression))
                .containsExactlyElementsOf(metrics == null ? List.of() : List.of(metrics.split(" ")));
    }
}
