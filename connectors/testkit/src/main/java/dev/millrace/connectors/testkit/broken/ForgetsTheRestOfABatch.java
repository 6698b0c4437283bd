package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import org.apache.flink.api.connector.source.Source;

/**
 * Hands each chunk on in two parts, and a checkpoint between them holds the position behind both: after a restore the rest is
 * never read. The shape of FLINK-36180.
 */
public final class ForgetsTheRestOfABatch extends Wrapped {
    public ForgetsTheRestOfABatch(Broker working) {
        super(working);
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return WrappedSource.of(super.source(options, spec), HalvingReader::new);
    }
}
