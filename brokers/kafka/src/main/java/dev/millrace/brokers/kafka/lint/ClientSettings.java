package dev.millrace.brokers.kafka.lint;

import dev.millrace.connectors.api.lint.Advice;
import dev.millrace.connectors.api.lint.KnownSettings;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.utils.AppInfoParser;

/** What the clients' kinds have in common. */
final class ClientSettings {
    private ClientSettings() {}

    static KnownSettings of(ConfigDef definition) {
        try {
            return new KnownSettings(
                    "the Kafka client " + AppInfoParser.getVersion(),
                    ConfigDefSettings.of(definition),
                    List.of("config.providers"),
                    Advice.of(ClientSettings.class, "client.advice"));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a definition of this plugin's own client has no keys", e);
        }
    }
}
