package dev.millrace.connectors.api.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KeyPartitionsTest {

    @Test
    @DisplayName("a key's partition never changes from one version to the next")
    void pinned() {
        int[] pinned = new int[8];
        for (int i = 0; i < 8; i++) {
            pinned[i] = KeyPartitions.of(("device-" + i).getBytes(StandardCharsets.UTF_8), 16);
        }
        assertThat(pinned).containsExactly(PINNED);
    }

    /** Computed by an independent implementation. */
    private static final int[] PINNED = {14, 14, 3, 11, 1, 14, 12, 8};

    @Test
    @DisplayName("devices spread evenly: no partition has 10 % more or less than its share of 100,000")
    void even() {
        for (int partitions : new int[] {2, 4, 12, 16}) {
            int[] counts = new int[partitions];
            for (int i = 0; i < 100_000; i++) {
                counts[KeyPartitions.of(("device-%06d".formatted(i)).getBytes(StandardCharsets.UTF_8), partitions)]++;
            }
            for (int count : counts) {
                assertThat(count).isBetween((90_000 / partitions), (110_000 / partitions));
            }
        }
    }
}
