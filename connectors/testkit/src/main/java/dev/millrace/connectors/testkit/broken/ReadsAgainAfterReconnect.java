package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;

/** After a connection has been lost its source begins a little before the place where it had stood. */
public final class ReadsAgainAfterReconnect extends Wrapped {
    public ReadsAgainAfterReconnect(Broker working) {
        super(working);
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return WrappedSource.of(super.source(options, spec), new Repeating(options));
    }

    private record Repeating(Options options) implements WrappedSource.Wrapping {
        @Override
        public <S extends SourceSplit> SourceReader<PayloadChunk, S> around(SourceReader<PayloadChunk, S> working) {
            return new RereadingReader<>(working, new Canary(options));
        }
    }
}
