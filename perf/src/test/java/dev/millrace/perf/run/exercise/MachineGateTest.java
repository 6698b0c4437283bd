package dev.millrace.perf.run.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.probe.Disturbance;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.scenario.Scenario;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MachineGateTest {
    private static final Scenario.Checks CHECKS = new Scenario.Checks(0.99, 0.02, 0.05, 1000);

    @Test
    @DisplayName(
            "what a neighbour or the swap took of the machine is a reason, with the part of the run that it was in")
    void reasons() {
        assertThat(MachineGate.reasons("in the drain ", new Disturbance(0.02, 0.05, 0), CHECKS))
                .isEmpty();
        assertThat(MachineGate.reasons("in the drain ", new Disturbance(0.2, 0.123, 7), CHECKS))
                .containsExactly(
                        "in the drain the hypervisor, or a quota, took 20.0 % of the processors' time; at most 2.0 % are allowed",
                        "in the drain processes that are not of this benchmark took 12.3 % of the processors' time; at most 5.0 % are"
                                + " allowed",
                        "in the drain the machine swapped 7 pages; it must not swap");
    }

    @Test
    @DisplayName(
            "steal or swap that alone is not known is a reason; neighbours that nobody can tell from the stack are none")
    void unknown() {
        assertThat(MachineGate.reasons("", new Disturbance(Double.NaN, Double.NaN, 0), CHECKS))
                .singleElement()
                .asString()
                .isEqualTo("the hypervisor, or a quota, took a share of the processors' time that is not known;"
                        + " at most 2.0 % are allowed");
        assertThat(MachineGate.reasons("", new Disturbance(0.0203, Double.NaN, 0), CHECKS))
                .containsExactly(
                        "the hypervisor, or a quota, took 2.03 % of the processors' time; at most 2.00 % are allowed");
        assertThat(MachineGate.reasons("", new Disturbance(0, Double.NaN, Double.NaN), CHECKS))
                .singleElement()
                .asString()
                .contains("it must not swap");
    }

    @Test
    @DisplayName("a machine that counts nothing makes no run INVALID, and its evidence is no 0")
    void nothingCounted() {
        Disturbance disturbance = Disturbance.of(MachineUse.UNKNOWN.since(MachineUse.UNKNOWN));
        assertThat(disturbance.stolenShare()).isNaN();
        assertThat(disturbance.swappedPages()).isNaN();
        assertThat(MachineGate.reasons("", disturbance, CHECKS)).isEmpty();
    }
}
