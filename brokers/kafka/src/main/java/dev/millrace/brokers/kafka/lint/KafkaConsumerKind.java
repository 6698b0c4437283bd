package dev.millrace.brokers.kafka.lint;

import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.SettingsKind;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** A consumer's settings. */
public final class KafkaConsumerKind implements SettingsKind {

    @Override
    public String name() {
        return "kafka-consumer";
    }

    @Override
    public List<String> fileNames() {
        return List.of("consumer.properties");
    }

    @Override
    public KnownSettings known() {
        return ClientSettings.of(ConsumerConfig.configDef());
    }
}
