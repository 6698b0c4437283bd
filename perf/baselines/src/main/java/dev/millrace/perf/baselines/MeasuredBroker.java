package dev.millrace.perf.baselines;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Brokers;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;

/**
 * The broker that its options name, with a meter around the publisher: so the generator is measured as it is. For {@link
 * PublishProcess}, which has one meter for the whole process.
 */
public final class MeasuredBroker implements Broker {
    static final String NAME = "measured";
    /** The option that names the broker; all others are that broker's. */
    static final String OF = "measured";

    @Override
    public String name() {
        return NAME;
    }

    private static Broker of(Options options) {
        return Brokers.named(
                options.get(OF).orElseThrow(() -> new UserException("'" + OF + "' must name the broker to measure")));
    }

    private static Options own(Options options) {
        Map<String, String> own = new TreeMap<>(options.asMap());
        own.remove(OF);
        return Options.of(own);
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return of(options).source(own(options), spec);
    }

    @Override
    public <T> Sink<T> sink(Options options, SinkSpec<T> spec) {
        return of(options).sink(own(options), spec);
    }

    @Override
    public BrokerClient connect(Options options) {
        return new MeasuredClient(of(options).connect(own(options)), PublishMeter.OF_PROCESS);
    }

    @Override
    public LocalBroker startLocal(Path workDirectory, Options options) {
        return of(options).startLocal(workDirectory, own(options));
    }
}
