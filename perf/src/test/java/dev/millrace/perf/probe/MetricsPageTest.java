package dev.millrace.perf.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
    @Test
    void aLineHasNameLabelsAndValue() {
        MetricsPage.Value value =
                MetricsPage.parse("flink_busy{task_name=\"a, \\\"b\\\" c\",subtask_index=\"1\",} 1.4143E4");
        assertThat(value.name()).isEqualTo("flink_busy");
        assertThat(value.value()).isEqualTo(14_143);
        assertThat(value.label("task_name")).isEqualTo("a, \\\"b\\\" c");
        assertThat(value.label("subtask_index")).isEqualTo("1");
        assertThat(value.label("index")).isEmpty();
        assertThat(MetricsPage.parse("sent_total 12.0")).isEqualTo(new MetricsPage.Value("sent_total", "", 12));
    }

    @Test
    void aListOfProcessorsIsRangesAndNumbers() {
        BitSet expected = new BitSet();
        expected.set(0, 3);
        expected.set(5);
        assertThat(ProcessorSet.parse("\t0-2,5")).isEqualTo(expected);
        assertThat(ProcessorSet.of(Long.MAX_VALUE)).isEqualTo(new BitSet());
    }
}
