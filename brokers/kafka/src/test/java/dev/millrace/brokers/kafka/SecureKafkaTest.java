package dev.millrace.brokers.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.connectors.testkit.broker.EveryWay;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a real server that wants TLS and a login. */
@Tag("server")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class SecureKafkaTest {
    private static final KafkaBroker KAFKA = new KafkaBroker();
    private static final String SCRAM = "SCRAM-SHA-512";

    @TempDir
    static Path directory;

    private static SecureKafka server;

    @BeforeAll
    static void startServer() {
        server = SecureKafka.start(directory);
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SCRAM, "PLAIN"})
    void everyWayIntoTheBrokerTakesTheLoginAndNoneLogsThePassword(String mechanism) throws Exception {
        Options options = server.options(mechanism, "millrace", SecureKafka.PASSWORD);
        new EveryWay(KAFKA, options, Duration.ofSeconds(30))
                .go("every-way-" + mechanism.toLowerCase(Locale.ROOT), SecureKafka.PASSWORD);
    }

    @Test
    void aWrongPasswordIsASentenceWithoutThePassword() {
        refused(server.options(SCRAM, "millrace", "wr0ng-one"), "refuses the login", SCRAM)
                .hasMessageNotContaining("wr0ng-one");
    }

    @Test
    void aServerWithAStrangersCertificateIsNotTrusted() {
        Options options = server.options(SCRAM, "millrace", SecureKafka.PASSWORD)
                .with("client.ssl.truststore.location", server.strangersTrust());
        refused(options, "TLS", "unable to find valid certification path", "client.ssl.");
    }

    @Test
    void aTrustStoreThatCannotBeReadIsNamed() {
        Options options = server.options(SCRAM, "millrace", SecureKafka.PASSWORD)
                .with("client.ssl.truststore.location", "/no/such/store.p12");
        refused(options, "/no/such/store.p12");
    }

    @Test
    void whoMayNotMakeATopicIsToldSo() {
        Options guest = server.options(SCRAM, "guest", SecureKafka.PASSWORD);
        try (BrokerClient client = KAFKA.connect(guest)) {
            assertThatThrownBy(() -> client.createTopic(TopicSpec.of("guests", 1)))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("does not allow to")
                    .hasMessageContaining("guests");
        }
    }

    private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> refused(
            Options options, String... words) {
        var refused = assertThatThrownBy(() -> KAFKA.connect(options).close())
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(server.address())
                .hasMessageNotContaining(SecureKafka.PASSWORD);
        for (String word : words) {
            refused.hasMessageContaining(word);
        }
        return refused;
    }
}
