package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.util.Locale;
import java.util.Map;
import org.apache.pulsar.client.api.ProducerCryptoFailureAction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PulsarOptionsTest {
    private static final Options ADDRESS = Options.of(Map.of("address", "127.0.0.1:6650"));

    @ParameterizedTest
    @EnumSource(PulsarOptions.Tuning.class)
    void everyTuningProfileHoldsOnlySettingsThatExistWithValuesThatFit(PulsarOptions.Tuning tuning) {
        Options profile = PulsarOptions.profile(tuning);
        assertThat(profile.asMap().keySet()).allMatch(key -> key.matches("(client|producer|consumer|server)\\..+"));
        // As if a person had written them: each is looked up and its value parsed.
        Options written = ADDRESS.with("tuning", tuning.name().toLowerCase(Locale.ROOT));
        for (Map.Entry<String, String> setting : profile.asMap().entrySet()) {
            written = written.with(setting.getKey(), setting.getValue());
        }
        PulsarOptions options = PulsarOptions.bind(written);
        assertThat(options.producerSettings()).containsKey("batchingMaxBytes");
        assertThat(options.consumerSettings()).containsKey("receiverQueueSize");
        assertThat(options.clientSettings()).containsEntry("numIoThreads", 2);
    }

    @Test
    void whatAPersonSetsWinsOverTheProfile() {
        PulsarOptions options = PulsarOptions.bind(ADDRESS.with("producer.batchingMaxMessages", "77")
                .with("producer.cryptoFailureAction", "send")
                .with("consumer.receiverQueueSize", "3")
                .with("client.tlsCiphers", "a,b"));
        assertThat(options.producerSettings())
                .containsEntry("batchingMaxMessages", 77)
                .containsEntry("cryptoFailureAction", ProducerCryptoFailureAction.SEND);
        assertThat(options.consumerSettings()).containsEntry("receiverQueueSize", 3);
        assertThat(options.clientSettings()).containsEntry("tlsCiphers", java.util.Set.of("a", "b"));
    }

    @Test
    void anUnknownSettingOfAClientIsRefusedWithTheNearestOne() {
        assertThatThrownBy(() -> PulsarOptions.bind(
                        ADDRESS.with("producer.maxBatchSizeBytes", "5").with("producer.batchingMaxByte", "5")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'producer.maxBatchSizeBytes'")
                .hasMessageContaining("Did you mean 'producer.batchingMaxBytes'?");
    }

    @Test
    void whatThePromisesStandOnCannotBeSet() {
        assertThatThrownBy(() -> PulsarOptions.bind(ADDRESS.with("producer.sendTimeoutMs", "1")
                        .with("consumer.subscriptionType", "Shared")
                        .with("server.bindAddress", "here")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'producer.sendTimeoutMs' is the plugin's own to set")
                .hasMessageContaining("'consumer.subscriptionType' is the plugin's own to set")
                .hasMessageContaining("'server.bindAddress' is the plugin's own to set");
    }

    @Test
    void aValueThatAClientDoesNotTakeIsRefusedAtOnce() {
        assertThatThrownBy(() -> PulsarOptions.bind(ADDRESS.with("producer.batchingMaxMessages", "many")
                        .with("client.useTls", "yes")
                        .with("producer.cryptoFailureAction", "cry")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("producer.batchingMaxMessages: 'many' is not a whole number")
                .hasMessageContaining("client.useTls: 'yes' is not true or false")
                .hasMessageContaining("producer.cryptoFailureAction: 'cry' is not one of [FAIL, SEND]");
    }

    @Test
    void administrationIsOnTheSameHostUnlessItIsNamed() {
        assertThat(PulsarOptions.bind(Options.of(Map.of("address", "one:1,two:2")))
                        .admin())
                .isEqualTo("http://one:8080");
        assertThat(PulsarOptions.bind(ADDRESS.with("admin", "https://web:8443/"))
                        .admin())
                .isEqualTo("https://web:8443");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:8080", "http://", "http://web", "ftp://web:1"})
    void anAdministrationThatIsNoneIsRefused(String admin) {
        assertThatThrownBy(() -> PulsarOptions.bind(ADDRESS.with("admin", admin)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'admin' is '" + admin + "'; it must be http://HOST:PORT");
    }

    @Test
    void storesOfKeysAreRefusedWhereTheAdministrationIsAskedWithTls() {
        Options tls = ADDRESS.with("client.useTls", "true");
        assertThatThrownBy(() -> PulsarOptions.bind(
                        tls.with("client.useKeyStoreTls", "true").with("client.tlsTrustStorePath", "trust.p12")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("https://127.0.0.1:8443")
                .hasMessageContaining("client.tlsTrustCertsFilePath");
        assertThat(PulsarOptions.bind(tls.with("client.useKeyStoreTls", "false"))
                        .client())
                .containsEntry("useKeyStoreTls", "false");
        assertThat(PulsarOptions.bind(tls.with("client.useKeyStoreTls", "true").with("admin", "http://web:8080"))
                        .client())
                .containsEntry("useKeyStoreTls", "true");
    }

    @Test
    void topicsStandInTheNamespace() {
        PulsarOptions options = PulsarOptions.bind(ADDRESS.with("namespace", "a/b"));
        assertThat(options.partition("readings", 3)).isEqualTo("persistent://a/b/readings-partition-3");
        assertThatThrownBy(() -> PulsarOptions.bind(ADDRESS.with("namespace", "a")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("TENANT/NAMESPACE");
    }

    @Test
    void aServerWithTooLittleMemoryIsRefused() {
        assertThatThrownBy(() -> PulsarOptions.bindLocal(Options.of(Map.of("memory", "64MiB"))))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("at least 768MiB");
    }

    @Test
    void aPositionIsOrderedByLedgerThenEntryThenIndexAndGivesAllThreeBack() {
        Position position = PulsarPositions.of(7, 49_999, 1_234);
        assertThat(PulsarPositions.ledger(position)).isEqualTo(7);
        assertThat(PulsarPositions.entry(position)).isEqualTo(49_999);
        assertThat(PulsarPositions.index(position)).isEqualTo(1_234);
        assertThat(PulsarPositions.of(7, 49_999, -1)).isEqualTo(PulsarPositions.of(7, 49_999, 0));
        assertThat(position)
                .isGreaterThan(PulsarPositions.of(7, 49_998, 999_999))
                .isLessThan(PulsarPositions.behind(7, 49_999))
                .isLessThan(PulsarPositions.of(8, 0, 0));
        assertThat(PulsarPositions.behind(7, -1)).isEqualTo(PulsarPositions.of(7, 0, 0));
    }

    @Test
    void whatTellsOnlyALocalServerIsNamedWithWhatOnlyItCanKeep() {
        assertThat(new PulsarBroker()
                        .ofLocalServer(Options.of(Map.of(
                                "tuning",
                                "durable",
                                "memory",
                                "1GiB",
                                "inner-port",
                                "1",
                                "client.some",
                                "1",
                                "server.some",
                                "1"))))
                .containsExactly("inner-port", "memory", "server.some", "tuning=durable");
        assertThat(new PulsarBroker().ofLocalServer(Options.of(Map.of("tuning", "latency", "compression", "none"))))
                .isEmpty();
    }
}
