package dev.millrace.perf.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NetworkAllowancesTest {
    /** The form in which ethtool prints the counters of the ENA driver. */
    private static final String PRINTED = String.join(
            "\n",
            "NIC statistics:",
            "     tx_timeout: 0",
            "     suspend: 0",
            "     resume: 0",
            "     wd_expired: 0",
            "     interface_up: 1",
            "     interface_down: 0",
            "     admin_q_pause: 0",
            "     bw_in_allowance_exceeded: 0",
            "     bw_out_allowance_exceeded: 1183",
            "     pps_allowance_exceeded: 17",
            "     conntrack_allowance_exceeded: 0",
            "     linklocal_allowance_exceeded: 0",
            "     conntrack_allowance_available: 136812",
            "     queue_0_tx_cnt: 280",
            "     queue_0_tx_bytes: 41221",
            "     queue_0_rx_bad_csum: 0",
            "");

    @Test
    void takesTheCountersOfAllowancesThatWereExceededAndNoOthers() {
        assertThat(NetworkAllowances.parse(PRINTED))
                .isEqualTo(Map.of(
                        "bw_in_allowance_exceeded", 0L,
                        "bw_out_allowance_exceeded", 1183L,
                        "pps_allowance_exceeded", 17L,
                        "conntrack_allowance_exceeded", 0L,
                        "linklocal_allowance_exceeded", 0L));
    }

    @Test
    void otherCardsHaveNone() {
        assertThat(NetworkAllowances.parse("NIC statistics:\n     rx_packets: 12\n     tx_packets: 9\n"))
                .isEmpty();
        assertThat(NetworkAllowances.parse("no stats available\n")).isEmpty();
        assertThat(NetworkAllowances.parse("")).isEmpty();
    }

    @Test
    void askingAnyMachineIsNoError() {
        assertThatCode(() -> new NetworkAllowances().heldBack()).doesNotThrowAnyException();
    }
}
