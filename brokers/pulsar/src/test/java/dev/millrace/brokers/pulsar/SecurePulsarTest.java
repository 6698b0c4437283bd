package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.TopicSpec;
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
    void anAdministratorOfTheTenantNeedsNoMore() throws Exception {
        PulsarAdmin admin = new PulsarAdmin(PulsarOptions.bind(server.options(server.token("millrace", true))));
        String cluster =
                admin.read("/admin/v2/clusters", "tell its clusters").path(0).asText();
        put(admin, "/admin/v2/tenants/owned", "{\"adminRoles\":[\"owner\"],\"allowedClusters\":[\"" + cluster + "\"]}");
        put(admin, "/admin/v2/namespaces/owned/readings", "{}");
        Path token = server.token("owner", true);
        Options options = server.options(token).with("namespace", "owned/readings");
        new EveryWay(PULSAR, options, Duration.ofSeconds(60)).go("owned-way", Files.readString(token));
        try (BrokerClient client = PULSAR.connect(options)) {
            // How many bookies there are is not for it to know.
            client.createTopic(new TopicSpec("of-two", 1, 2, 1 << 20, Duration.ofHours(1)));
            assertThat(client.partitions("of-two")).isEqualTo(1);
        }
    }

    private static void put(PulsarAdmin admin, String path, String json) {
        admin.fine(admin.ask("PUT", path, json, "make " + path), "make " + path);
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
