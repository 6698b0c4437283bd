package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;

/** Leaves out every option that nobody knows, without a word. */
public final class IgnoresUnknownOptions extends Wrapped {
    private static final Pattern UNKNOWN = Pattern.compile("unknown key '([^']+)'");

    public IgnoresUnknownOptions(Broker working) {
        super(working);
    }

    private static <T> T ignoring(Options options, Function<Options, T> call) {
        try {
            return call.apply(options);
        } catch (UserException e) {
            Map<String, String> known = new HashMap<>(options.asMap());
            Matcher unknown = UNKNOWN.matcher(e.getMessage());
            while (unknown.find()) {
                known.remove(unknown.group(1));
            }
            return call.apply(Options.of(known));
        }
    }

    @Override
    public Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec) {
        return ignoring(options, known -> super.source(known, spec));
    }

    @Override
    public <T> Sink<T> sink(Options options, SinkSpec<T> spec) {
        return ignoring(options, known -> super.sink(known, spec));
    }

    @Override
    public BrokerClient connect(Options options) {
        return ignoring(options, super::connect);
    }

    @Override
    public LocalBroker startLocal(Path workDirectory, Options options) {
        return ignoring(options, known -> super.startLocal(workDirectory, known));
    }
}
