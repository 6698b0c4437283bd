package dev.millrace.perf.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkBytesTest {
    private static final List<String> LINES = List.of(
            "Inter-|   Receive                                                |  Transmit",
            " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls"
                    + " carrier compressed",
            "    lo: 1000 10    0    0    0     0          0         0     1000 10    0    0    0     0       0          0",
            "  eth0:  300 3    0    0    0     0          0         0      40 2    0    0    0     0       0          0",
            "  eth1:    5 1    0    0    0     0          0         0       1 1    0    0    0     0       0          0");

    @Test
    void loopbackCountsOnceAndOthersInBothDirections() {
        assertThat(NetworkBytes.parse(LINES)).isEqualTo(new NetworkBytes(1000, 346));
    }

    @Test
    void growthIsTheDifference() {
        assertThat(new NetworkBytes(10, 8).since(new NetworkBytes(4, 3))).isEqualTo(new NetworkBytes(6, 5));
    }
}
