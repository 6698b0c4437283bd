package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;

/** Takes the option {@code compression}, as one that compresses, and does nothing with it. */
public final class DropsCompression extends Wrapped {
    private static final String COMPRESSION = "compression";

    public DropsCompression(Broker working) {
        super(working);
    }

    @Override
    public Set<Capability> capabilities() {
        Set<Capability> declared = EnumSet.of(Capability.COMPRESSES);
        declared.addAll(super.capabilities());
        return declared;
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return super.source(options.without(COMPRESSION), spec);
    }

    @Override
    public <T> Sink<T> sink(Options options, SinkSpec<T> spec) {
        return super.sink(options.without(COMPRESSION), spec);
    }

    @Override
    public BrokerClient connect(Options options) {
        return super.connect(options.without(COMPRESSION));
    }

    @Override
    public LocalBroker startLocal(Path workDirectory, Options options) {
        return super.startLocal(workDirectory, options.without(COMPRESSION));
    }
}
