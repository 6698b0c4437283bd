package dev.millrace.brokers.kafka.lint;

import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.SettingsKind;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerConfig;

/** A producer's settings. */
public final class KafkaProducerKind implements SettingsKind {

    @Override
    public String name() {
        return "kafka-producer";
    }

    @Override
    public List<String> fileNames() {
        return List.of("producer.properties");
    }

    @Override
    public KnownSettings known() {
        return ClientSettings.of(ProducerConfig.configDef());
    }
}
