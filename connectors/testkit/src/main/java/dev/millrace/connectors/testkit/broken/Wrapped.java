package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;

/** A broker that does what another does; each fault overrides what it breaks. */
abstract class Wrapped implements Broker {
    private final Broker working;

    Wrapped(Broker working) {
        this.working = working;
    }

    Broker working() {
        return working;
    }

    @Override
    public String name() {
        return working.name();
    }

    @Override
    public Set<Capability> capabilities() {
        return working.capabilities();
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return working.source(options, spec);
    }

    @Override
    public <T> Sink<T> sink(Options options, SinkSpec<T> spec) {
        return working.sink(options, spec);
    }

    @Override
    public BrokerClient connect(Options options) {
        return working.connect(options);
    }

    @Override
    public LocalBroker startLocal(Path workDirectory, Options options) {
        return working.startLocal(workDirectory, options);
    }

    @Override
    public OptionalLong localMemoryBytes(Options options) {
        return working.localMemoryBytes(options);
    }

    @Override
    public OptionalLong localRoomBytes(Options options) {
        return working.localRoomBytes(options);
    }

    @Override
    public long localTopicBytes(TopicSpec topic) {
        return working.localTopicBytes(topic);
    }

    @Override
    public List<String> ofLocalServer(Options options) {
        return working.ofLocalServer(options);
    }
}
