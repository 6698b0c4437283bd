package dev.millrace.brokers.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaOptionsTest {
    private static final Options ADDRESS = Options.of(Map.of("address", "127.0.0.1:9092"));

    @ParameterizedTest
    @EnumSource(KafkaOptions.Tuning.class)
    void everyTuningProfileHoldsOnlySettingsThatExistWithValuesThatFit(KafkaOptions.Tuning tuning) {
        Options profile = KafkaOptions.profile(tuning);
        assertThat(profile.asMap().keySet()).allMatch(key -> key.matches("(producer|consumer|server)\\..+"));
        assertThat(ProducerConfig.configNames())
                .containsAll(profile.under("producer.").asMap().keySet());
        assertThat(ConsumerConfig.configNames())
                .containsAll(profile.under("consumer.").asMap().keySet());

        KafkaOptions options =
                KafkaOptions.bind(ADDRESS.with("tuning", tuning.name().toLowerCase()));
        Properties producer = options.producerProperties();
        producer.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        producer.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        assertThat(profile.under("producer.").asMap()).isNotEmpty();
        assertThat(producer).containsAllEntriesOf(profile.under("producer.").asMap());
        // Parses every value, and throws for one that does not fit.
        new ProducerConfig(producer);
        Properties consumer = options.consumerProperties();
        consumer.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        consumer.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        assertThat(profile.under("consumer.").asMap()).isNotEmpty();
        assertThat(consumer).containsAllEntriesOf(profile.under("consumer.").asMap());
        new ConsumerConfig(consumer);
    }

    @Test
    void whatAPersonSetsWinsOverTheProfile() {
        KafkaOptions options =
                KafkaOptions.bind(ADDRESS.with("producer.linger.ms", "77").with("consumer.fetch.max.wait.ms", "3"));
        assertThat(options.producerProperties()).containsEntry("linger.ms", "77");
        assertThat(options.consumerProperties()).containsEntry("fetch.max.wait.ms", "3");
    }

    @Test
    void settingsOfEveryClientReachProducerConsumerAndAdmin() {
        KafkaOptions options = KafkaOptions.bind(ADDRESS.with("client.security.protocol", "SSL"));
        assertThat(options.producerProperties()).containsEntry("security.protocol", "SSL");
        assertThat(options.consumerProperties()).containsEntry("security.protocol", "SSL");
        assertThat(options.adminProperties()).containsEntry("security.protocol", "SSL");
    }

    @Test
    void anUnknownSettingOfAClientIsRefusedWithTheNearestOne() {
        assertThatThrownBy(() -> KafkaOptions.bind(ADDRESS.with("producer.lingre.ms", "5")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'producer.lingre.ms'")
                .hasMessageContaining("Did you mean 'producer.linger.ms'?");
    }

    @Test
    void whatThePromisesStandOnCannotBeSet() {
        assertThatThrownBy(() -> KafkaOptions.bind(
                        ADDRESS.with("producer.acks", "0").with("consumer.auto.offset.reset", "latest")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'producer.acks' is the plugin's own to set")
                .hasMessageContaining("'consumer.auto.offset.reset' is the plugin's own to set");
    }

    @Test
    void aValueThatAClientDoesNotTakeIsRefusedAtOnce() {
        assertThatThrownBy(() -> KafkaOptions.bind(ADDRESS.with("producer.linger.ms", "soon")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("linger.ms")
                .hasMessageContaining("soon");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1:", ":9092", "a b:1", "one:1,", "http://one:1", "one:99999"})
    void anAddressThatIsNoneIsRefused(String address) {
        assertThatThrownBy(() -> KafkaOptions.bind(Options.of(Map.of("address", address))))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'address' is '" + address + "'; it must be HOST:PORT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:9092", "a.b-c.d:1,e:2", "[::1]:9092"})
    void anAddressMayNameSeveralServers(String address) {
        assertThat(KafkaOptions.bind(Options.of(Map.of("address", address))).address())
                .isEqualTo(address);
    }

    @Test
    void aServerWithTooLittleMemoryIsRefused() {
        assertThatThrownBy(() -> KafkaOptions.bindLocal(Options.of(Map.of("memory", "64MiB"))))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("at least 400MiB");
    }

    @Test
    void theLineOfAForeignServerIsReadFromItsNewestMetadataVersion() {
        assertThat(KafkaSettingsReader.line(21)).isEqualTo("3.9.x (metadata.version 21)");
        assertThat(KafkaSettingsReader.line(23)).isEqualTo("4.0.x (metadata.version 23)");
        assertThat(KafkaSettingsReader.line(99)).isEqualTo("after 4.1 (metadata.version 99)");
    }

    @Test
    void whatTellsOnlyALocalServerIsNamedWithWhatOnlyItCanKeep() {
        assertThat(new KafkaBroker()
                        .ofLocalServer(Options.of(
                                Map.of("tuning", "durable", "memory", "1GiB", "inner-port", "1", "client.some", "1"))))
                .containsExactly("inner-port", "memory", "tuning=durable");
        assertThat(new KafkaBroker().ofLocalServer(Options.of(Map.of("tuning", "latency", "compression", "none"))))
                .isEmpty();
    }
}
