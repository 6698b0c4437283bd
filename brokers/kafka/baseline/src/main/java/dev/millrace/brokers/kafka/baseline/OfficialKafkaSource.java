package dev.millrace.brokers.kafka.baseline;

import dev.millrace.brokers.kafka.KafkaOptions;
import dev.millrace.brokers.kafka.OfficialConnector;
import dev.millrace.connectors.api.baseline.OfficialSource;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.core.settings.Options;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.connector.source.Source;

/** The connector's own reader on the plugin's consumer settings. */
public final class OfficialKafkaSource implements OfficialSource {

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public <T> Source<T, ?, ?> source(Options options, SourceSpec spec, DeserializationSchema<T> schema) {
        KafkaOptions bound = KafkaOptions.bind(options);
        return OfficialConnector.<T>builder(bound, spec)
                .setProperties(bound.consumerProperties())
                .setValueOnlyDeserializer(schema)
                .build();
    }
}
