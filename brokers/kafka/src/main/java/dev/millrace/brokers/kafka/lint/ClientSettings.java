package dev.millrace.brokers.kafka.lint;

import dev.millrace.connectors.api.lint.Advice;
import dev.millrace.connectors.api.lint.KnownSetting;
import dev.millrace.connectors.api.lint.KnownSettings;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.utils.AppInfoParser;

/** What the clients' kinds have in common. */
final class ClientSettings {
    private ClientSettings() {}

    static KnownSettings of(ConfigDef definition) {
        try {
            Map<String, KnownSetting> settings = ConfigDefSettings.of(definition);
            // They are in no definition: what reports metrics reads them itself.
            settings.put(JmxReporter.INCLUDE_CONFIG, KnownSetting.named());
            settings.put(JmxReporter.EXCLUDE_CONFIG, KnownSetting.named());
            return new KnownSettings(
                    "the Kafka client " + AppInfoParser.getVersion(),
                    settings,
                    List.of("config.providers", CommonClientConfigs.METRICS_CONTEXT_PREFIX),
                    Advice.of(ClientSettings.class, "client.advice"));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a definition of this plugin's own client has no keys", e);
        }
    }
}
