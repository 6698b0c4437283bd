package dev.millrace.connectors.api.baseline;

import dev.millrace.core.settings.Options;
import java.util.concurrent.atomic.LongAdder;

/**
 * The broker's client in a loop that counts records and drops them: what no job on that client can beat. Found by {@link
 * java.util.ServiceLoader}. Stateless.
 */
public interface RawReader {

    /** The broker's name, that of its plugin. */
    String name();

    /**
     * Reads the topic from its oldest record to the ends that it has at the call, and returns. Partitions are spread evenly
     * over {@code threads} threads. The client is set as the plugin sets its own.
     *
     * @param options those of {@link dev.millrace.connectors.api.broker.Broker#source}
     * @param records counts each record as soon as the loop has it; added to in steps where the client hands over many at once
     * @throws Exception when the broker is not reached or the topic is not there
     */
    void read(Options options, String topic, int threads, LongAdder records) throws Exception;
}
