package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.brokers.pulsar.LocalPulsarFiles.PortsOfServer;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPulsarTest {
    @TempDir
    Path directory;

    @Test
    void whatIsChosenBesideTheBookiesOldPortIsNeverThatOne() throws IOException {
        // As in a process that has chosen no port yet.
        int broker = IntStream.range(36_650, 60_000)
                .filter(port -> IntStream.range(port, port + 6).allMatch(Ports::isFree))
                .findFirst()
                .orElseThrow();
        keepBookie(broker + 1);
        PortsOfServer ports = LocalPulsar.choosePorts(directory, broker);
        assertThat(ports.bookie()).isEqualTo(broker + 1);
        assertThat(IntStream.of(ports.broker(), ports.admin(), ports.bookie(), ports.bookieAdmin()))
                .doesNotHaveDuplicates();
    }

    @Test
    void aBookieWhosePortIsTakenIsNotStartedOnAnother() throws IOException {
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            keepBookie(stranger.getLocalPort());
            assertThatThrownBy(() -> LocalPulsar.choosePorts(directory, 36_650))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("a bookie on port " + stranger.getLocalPort());
        }
    }

    @Test
    void whatTheServerWritesStaysInItsOwnFolder() {
        assertThat(LocalPulsarFiles.command(directory, Path.of("distribution"), 3181, 1 << 30))
                .contains("-Djava.io.tmpdir=" + directory.resolve("tmp"), "-XX:-UsePerfData");
    }

    /** What an earlier start leaves: the bookie's data and the settings. */
    private void keepBookie(int port) throws IOException {
        Files.createDirectories(directory.resolve("data/bookkeeper/current"));
        Path settings = directory.resolve(LocalPulsarFiles.SETTINGS);
        Files.createDirectories(settings.getParent());
        Files.writeString(
                settings, "brokerServicePort=1\nwebServicePort=2\nbookiePort=" + port + "\nhttpServerPort=3\n");
    }
}
