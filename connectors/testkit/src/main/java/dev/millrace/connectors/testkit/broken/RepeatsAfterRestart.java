package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import org.apache.flink.api.connector.source.Source;

/** Its checkpoints hold the positions of the checkpoint before. */
public final class RepeatsAfterRestart extends Wrapped {
    public RepeatsAfterRestart(Broker working) {
        super(working);
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return WrappedSource.of(super.source(options, spec), StaleReader::new);
    }
}
