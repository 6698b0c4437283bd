package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.PluginOptions;
import dev.millrace.connectors.api.broker.PublisherSink;
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

/** Apache Pulsar. */
public final class PulsarBroker implements Broker {

    @Override
    public String name() {
        return "pulsar";
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return new PulsarChunkSource(PulsarOptions.bind(options), spec);
    }

    @Override
    public <T> Sink<T> sink(Options options, SinkSpec<T> spec) {
        PulsarOptions bound = PulsarOptions.bind(options);
        return new PublisherSink<>(() -> PulsarBrokerClient.connect(bound), spec);
    }

    @Override
    public BrokerClient connect(Options options) {
        return PulsarBrokerClient.connect(PulsarOptions.bind(options));
    }

    @Override
    public LocalBroker startLocal(Path workDirectory, Options options) {
        return LocalPulsar.start(workDirectory, options);
    }

    @Override
    public OptionalLong localMemoryBytes(Options options) {
        return OptionalLong.of(PulsarOptions.bindLocal(options).memoryBytes());
    }

    @Override
    public List<String> ofLocalServer(Options options) {
        return PluginOptions.ofLocalServer(options, PulsarOptions.Tuning.DURABLE);
    }
}
