package dev.millrace.connectors.api.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
    @Test
    void whatWasNamedForSomebodyIsChosenByNobodyElse() {
        int free = Ports.firstFree(29_000);
        int next = free + 1;
        Ports.reserve(Set.of(next));
        assertThat(Ports.firstFree(next)).isGreaterThan(next);
        assertThat(Ports.isOpen(next)).isFalse();
        if (Ports.isFree(next)) {
            assertThat(Ports.named(next, "--web-port")).isEqualTo(next);
        }
    }
}
