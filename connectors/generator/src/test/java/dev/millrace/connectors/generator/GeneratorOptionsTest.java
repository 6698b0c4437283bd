package dev.millrace.connectors.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GeneratorOptionsTest {
    private static final Map<String, String> LEAST =
            Map.of("broker", "file", "topic", "readings", "directory", "/tmp/ledger");

    @Test
    void theLeastThatIsNeededGivesTheDefaults() {
        GeneratorOptions options = GeneratorOptions.bind(Options.of(LEAST), "test");
        assertThat(options.settings().payloadBytes()).isEqualTo(300);
        assertThat(options.settings().devices()).isEqualTo(1000);
        assertThat(options.shape().rateAt(5)).isEqualTo(10_000);
        assertThat(options.minFreeDiskBytes()).isEqualTo(2L << 30);
        assertThat(options.startMillis()).isEqualTo(-1);
    }

    @Test
    void everyProblemIsNamedAtOnce() {
        Map<String, String> wrong = new HashMap<>(LEAST);
        wrong.putAll(Map.of("rate", "abc", "devices", "0", "devcies", "5", "skew", "zpif", "payload-bytes", "10"));
        wrong.remove("topic");
        assertThatThrownBy(() -> GeneratorOptions.bind(Options.of(wrong), "settings file x"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'rate' is 'abc'")
                .hasMessageContaining("'devices' is '0'")
                .hasMessageContaining("unknown key 'devcies'. Did you mean 'devices'?")
                .hasMessageContaining("one of uniform, zipf")
                .hasMessageContaining("'payload-bytes' is '10'")
                .hasMessageContaining("'topic' is missing");
    }

    @Test
    void whatIsBelowBrokerGoesToThePlugin() {
        Map<String, String> values = new HashMap<>(LEAST);
        values.put("broker.address", "127.0.0.1:1");
        assertThat(GeneratorOptions.bind(Options.of(values), "test")
                        .brokerOptions()
                        .asMap())
                .isEqualTo(Map.of("address", "127.0.0.1:1"));
    }

    @Test
    void sharesThatDoNotGoTogetherAreAProblem() {
        Map<String, String> values = new HashMap<>(LEAST);
        values.putAll(Map.of("late-share", "0.7", "out-of-order-share", "0.7"));
        assertThatThrownBy(() -> GeneratorOptions.bind(Options.of(values), "test"))
                .hasMessageContaining("the sum of out-of-order-share and late-share");
    }
}
