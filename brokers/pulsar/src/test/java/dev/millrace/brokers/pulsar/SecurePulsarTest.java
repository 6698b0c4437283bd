package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.testkit.broker.EveryWay;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a real server that wants TLS and a token. */
@Tag("server")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class SecurePulsarTest {
    private static final PulsarBroker PULSAR = new PulsarBroker();

    @TempDir
    static Path directory;

    private static SecurePulsar server;

    @BeforeAll
    static void startServer() {
        server = SecurePulsar.start(directory);
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void everyWayIntoTheBrokerTakesTheTokenAndNoneLogsIt() throws Exception {
        Path token = server.token("millrace", true);
        new EveryWay(PULSAR, server.options(token), Duration.ofSeconds(60)).go("every-way", Files.readString(token));
    }

    @Test
    void aTokenThatAnotherKeySignedIsASentence() {
        refused(server.options(server.token("millrace", false)), "does not allow to", "client.auth");
    }

    @Test
    void aTokenThatIsNotThereIsASentence() {
        refused(server.options(directory.resolve("no.token")), "login", "client.auth");
    }

    @Test
    void aServerWithAStrangersCertificateIsNotTrusted() {
        Options options = server.options(server.token("millrace", true))
                .with("client.tlsTrustCertsFilePath", server.strangersCertificate());
        refused(options, "TLS");
    }

    @Test
    void whoHasNoRightsIsToldSo() {
        refused(server.options(server.token("guest", true)), "does not allow to", "[guest]");
    }

    private static void refused(Options options, String... words) {
        var refused = assertThatThrownBy(() -> PULSAR.connect(options).close())
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("127.0.0.1:");
        for (String word : words) {
            refused.hasMessageContaining(word);
        }
    }
}
