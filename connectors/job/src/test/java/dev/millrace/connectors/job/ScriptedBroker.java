package dev.millrace.connectors.job;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.Set;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;

/** A broker without a server: every partition holds the readings of a script. Only its source works. */
public final class ScriptedBroker implements Broker {

    @Override
    public String name() {
        return "scripted";
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return options.bind(
                "broker 'scripted'",
                binder -> new ScriptedSource(
                        (int) binder.integer("chunks", 100, 1, 1_000_000),
                        binder.integer("pause-millis", 0, 0, 60_000),
                        binder.string("fails-beside", "")));
    }

    @Override
    public <T> Sink<T> sink(Options options, SinkSpec<T> spec) {
        throw new UnsupportedOperationException();
    }

    @Override
    public BrokerClient connect(Options options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LocalBroker startLocal(Path workDirectory, Options options) {
        throw new UnsupportedOperationException();
    }
}
