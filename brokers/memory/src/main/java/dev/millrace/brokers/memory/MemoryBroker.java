package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.LogServer;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.PublisherSink;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;

/** The memory broker. */
public final class MemoryBroker implements Broker {

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.ADDS_PARTITIONS);
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return new MemorySource(MemoryOptions.bind(options), spec);
    }

    @Override
    public <T> Sink<T> sink(Options options, SinkSpec<T> spec) {
        MemoryOptions bound = MemoryOptions.bind(options);
        return new PublisherSink<>(() -> new MemoryClient(bound), spec);
    }

    @Override
    public BrokerClient connect(Options options) {
        return new MemoryClient(MemoryOptions.bind(options));
    }

    @Override
    public LocalBroker startLocal(Path workDirectory, Options options) {
        LocalOptions bound = LocalOptions.bind(options);
        return bound.inProcess() ? LocalInProcess.start(workDirectory, bound) : LocalMemory.start(workDirectory, bound);
    }

    @Override
    public OptionalLong localMemoryBytes(Options options) {
        return OptionalLong.of(LocalOptions.bind(options).memoryBytes());
    }

    @Override
    public OptionalLong localRoomBytes(Options options) {
        return OptionalLong.of(LocalOptions.bind(options).budgetBytes());
    }

    @Override
    public long localTopicBytes(TopicSpec topic) {
        return LogServer.mostBytes(topic.retentionBytes(), topic.partitions());
    }
}
