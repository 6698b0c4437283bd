package dev.millrace.connectors.api.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
    @Test
    void whatWasNamedForSomebodyIsChosenByNobodyElse() {
        int free = Ports.firstFree(29_000);
        int next = free + 1;
        Ports.reserve(Set.of(next));
        assertThat(Ports.firstFree(next)).isGreaterThan(next);
        assertThat(Ports.again(next)).isFalse();
        if (Ports.isFree(next)) {
            assertThat(Ports.named(next, "--web-port")).isEqualTo(next);
        }
    }

    @Test
    void aPortOfAnEarlierStartIsGivenOutAgainAndThenChosenByNobodyElse() {
        int kept = Ports.firstFree(29_500) + 1;
        while (!Ports.isFree(kept)) {
            kept++;
        }
        assertThat(Ports.again(kept)).isTrue();
        assertThat(Ports.firstFree(kept)).isGreaterThan(kept);
        // A server that ended and starts once more.
        assertThat(Ports.again(kept)).isTrue();
    }

    @Test
    void aPortOfAnEarlierStartIsNotGivenOutWhileSomebodyListensThere() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Ports.again(other.getLocalPort())).isFalse();
        }
    }
}
