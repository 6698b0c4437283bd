package dev.millrace.connectors.api.baseline;

import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.core.settings.Options;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.connector.source.Source;

/** The broker's official Flink connector, as people use it; found by {@link java.util.ServiceLoader}. Stateless. */
public interface OfficialSource {

    /** The broker's name, that of its plugin. */
    String name();

    /**
     * One element for each record, decoded by {@code schema} on the source's own thread. The client is set as the plugin sets
     * its own wherever both have the setting, so that a difference is not one of tuning.
     *
     * @param options those of {@link dev.millrace.connectors.api.broker.Broker#source}
     */
    <T> Source<T, ?, ?> source(Options options, SourceSpec spec, DeserializationSchema<T> schema);
}
