package dev.millrace.perf.round;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShownSettingsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "broker.client.sasl.jaas.config",
                "broker.client.ssl.truststore.password",
                "broker.client.ssl.keystore.key",
                "broker.client.authParams",
                "broker.token",
                "store.password",
                "store.client-secret"
            })
    @DisplayName("a value that may be a password is not in a result")
    void hidden(String key) {
        assertThat(ShownSettings.of(Map.of(key, "x"))).isEqualTo(Map.of(key, "(set)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"broker.compression", "broker.producer.batch.size", "store.memory", "devices", "rate"})
    @DisplayName("what was measured with is")
    void shown(String key) {
        assertThat(ShownSettings.of(Map.of(key, "x"))).isEqualTo(Map.of(key, "x"));
    }
}
