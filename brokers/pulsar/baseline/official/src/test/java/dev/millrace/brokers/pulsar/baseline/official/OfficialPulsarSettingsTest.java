package dev.millrace.brokers.pulsar.baseline.official;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.brokers.pulsar.PulsarOptions;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.pulsar.source.PulsarSourceOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OfficialPulsarSettingsTest {
    private static final Options ADDRESS = Options.of(Map.of("address", "127.0.0.1:6650"));

    @ParameterizedTest
    @ValueSource(strings = {"latency", "throughput", "durable"})
    void theConnectorHasEverySettingOfTheTuningProfiles(String tuning) throws IllegalAccessException {
        PulsarOptions options = PulsarOptions.bind(ADDRESS.with("tuning", tuning));
        assertThat(options.consumer()).containsKey("receiverQueueSize");
        List<String> known = keys(PulsarSourceOptions.class);
        known.addAll(keys(org.apache.flink.connector.pulsar.common.config.PulsarOptions.class));
        assertThat(known).containsAll(OfficialPulsarSource.settings(options).keySet());
    }

    private static List<String> keys(Class<?> type) throws IllegalAccessException {
        List<String> keys = new ArrayList<>();
        for (Field field : type.getFields()) {
            if (field.getType() == ConfigOption.class) {
                keys.add(((ConfigOption<?>) field.get(null)).key());
            }
        }
        return keys;
    }

    @Test
    void whatAPersonSetsComesThereAsTheConnectorReadsIt() {
        Configuration settings =
                OfficialPulsarSource.settings(PulsarOptions.bind(ADDRESS.with("consumer.receiverQueueSize", "777")
                        .with("client.connectionTimeoutMs", "1234")
                        .with("client.tlsProtocols", "TLSv1.3,TLSv1.2")));
        assertThat(settings.get(PulsarSourceOptions.PULSAR_RECEIVER_QUEUE_SIZE)).isEqualTo(777);
        assertThat(settings.get(PulsarSourceOptions.PULSAR_AUTO_SCALED_RECEIVER_QUEUE_SIZE_ENABLED))
                .isFalse();
        assertThat(settings.get(
                        org.apache.flink.connector.pulsar.common.config.PulsarOptions.PULSAR_CONNECTION_TIMEOUT_MS))
                .isEqualTo(1234);
        assertThat(settings.get(org.apache.flink.connector.pulsar.common.config.PulsarOptions.PULSAR_TLS_PROTOCOLS))
                .containsExactlyInAnyOrder("TLSv1.2", "TLSv1.3");
    }

    @Test
    void aPositionOfEachPartitionIsRefusedWithASentence() {
        SourceSpec spec = new SourceSpec(
                "topic", "group", new StartFrom.At(Map.of(0, new Position(1, 0))), StopAt.NEVER, Duration.ofSeconds(1));
        assertThatThrownBy(() -> OfficialPulsarSource.builder(PulsarOptions.bind(ADDRESS), spec))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("oldest message");
    }
}
