package dev.millrace.perf.run.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.scenario.Scenario;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MachineGateTest {
    private static final Scenario.Checks CHECKS = new Scenario.Checks(0.99, 0.02, 1000);

    @Test
    @DisplayName(
            "what a neighbour or the swap took of the machine is a reason, with the part of the run that it was in")
    void reasons() {
        assertThat(MachineGate.reasons("in the drain ", 0.02, 0, CHECKS)).isEmpty();
        assertThat(MachineGate.reasons("in the drain ", 0.2, 7, CHECKS))
                .containsExactly(
                        "in the drain the hypervisor, or a quota, took 20.0 % of the processors' time; at most 2.0 % are allowed",
                        "in the drain the machine swapped 7 pages; it must not swap");
        assertThat(MachineGate.reasons("", Double.NaN, Double.NaN, CHECKS)).hasSize(2);
    }
}
