package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.reader.ChunkBuilder;
import dev.millrace.connectors.testkit.broker.WrappedClient;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;

/** A fault in every chunk, whoever reads it. */
abstract class RewritesChunks extends Wrapped {
    private final Rewrite rewrite;

    RewritesChunks(Broker working, Rewrite rewrite) {
        super(working);
        this.rewrite = rewrite;
    }

    /** The records of {@code chunk} in the given order. */
    static PayloadChunk pick(PayloadChunk chunk, int[] payloads, int[] places) {
        return pick(chunk, payloads, places, chunk.atEnd());
    }

    static PayloadChunk pick(PayloadChunk chunk, int[] payloads, int[] places, boolean atEnd) {
        ChunkBuilder builder = new ChunkBuilder(chunk.partition(), chunk.bytes().length);
        for (int i = 0; i < payloads.length; i++) {
            int payload = payloads[i];
            int place = places[i];
            builder.add(
                    chunk.bytes(),
                    chunk.start(payload),
                    chunk.end(payload) - chunk.start(payload),
                    chunk.brokerTimestamp(payload),
                    chunk.position(place).major(),
                    chunk.position(place).minor());
        }
        return builder.build(atEnd);
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return WrappedSource.of(super.source(options, spec), new Rewriting(rewrite));
    }

    @Override
    public BrokerClient connect(Options options) {
        return new WrappedClient(super.connect(options)) {
            @Override
            public Subscriber subscriber(String topic, StartFrom startFrom) {
                return new RewritingSubscriber(super.subscriber(topic, startFrom), rewrite);
            }
        };
    }

    private record Rewriting(Rewrite rewrite) implements WrappedSource.Wrapping {
        @Override
        public <S extends SourceSplit> SourceReader<PayloadChunk, S> around(SourceReader<PayloadChunk, S> working) {
            return new RewritingReader<>(working, rewrite);
        }
    }

    private record RewritingSubscriber(Subscriber working, Rewrite rewrite) implements Subscriber {
        @Override
        public List<PayloadChunk> poll(Duration timeout) {
            return working.poll(timeout).stream().map(rewrite::apply).toList();
        }

        @Override
        public void close() {
            working.close();
        }
    }
}
