package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.PluginOptions;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;

/** Apache Kafka. */
public final class KafkaBroker implements Broker {

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return new KafkaChunkSource(KafkaOptions.bind(options), spec);
    }

    @Override
    public <T> Sink<T> sink(Options options, SinkSpec<T> spec) {
        return KafkaTopicSink.of(KafkaOptions.bind(options), spec);
    }

    @Override
    public BrokerClient connect(Options options) {
        return KafkaBrokerClient.connect(KafkaOptions.bind(options));
    }

    @Override
    public LocalBroker startLocal(Path workDirectory, Options options) {
        return LocalKafka.start(workDirectory, options);
    }

    @Override
    public OptionalLong localMemoryBytes(Options options) {
        return OptionalLong.of(KafkaOptions.bindLocal(options).memoryBytes());
    }

    @Override
    public List<String> ofLocalServer(Options options) {
        return PluginOptions.ofLocalServer(options, KafkaOptions.Tuning.DURABLE);
    }
}
