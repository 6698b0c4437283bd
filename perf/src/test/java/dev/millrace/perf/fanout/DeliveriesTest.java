package dev.millrace.perf.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What counts as missing and as come again. */
class DeliveriesTest {
    private final Deliveries deliveries = new Deliveries();

    private void come(String device, long... sequences) {
        for (long sequence : sequences) {
            deliveries.add(device, sequence);
        }
    }

    @Test
    void everyDeviceCountsForItselfAndMayBeginAnywhere() {
        come("a", 17, 18);
        come("b", 0);
        come("a", 19);
        come("b", 1);
        assertThat(deliveries.readings()).isEqualTo(5);
        assertThat(deliveries.missing()).isZero();
        assertThat(deliveries.repeated()).isZero();
    }

    @Test
    void whatLiesBetweenIsMissing() {
        come("a", 3, 4, 7);
        assertThat(deliveries.missing()).isEqualTo(2);
        assertThat(deliveries.repeated()).isZero();
    }

    @Test
    void whatComesTwiceIsRepeatedAndMissesNothing() {
        come("a", 3, 4, 4, 3, 5);
        assertThat(deliveries.readings()).isEqualTo(5);
        assertThat(deliveries.repeated()).isEqualTo(2);
        assertThat(deliveries.missing()).isZero();
    }
}
