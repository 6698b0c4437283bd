package dev.millrace.connectors.api.broker;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;

/**
 * A broker the job can run on; found by {@link java.util.ServiceLoader}; stateless and thread-safe.
 *
 * @implSpec Every method that takes options binds them with {@link Options#bind}: all problems at once, unknown keys refused.
 *     The same options work for {@link #source}, {@link #sink} and {@link #connect}; {@code address} ({@code HOST:PORT}) is the
 *     one key that every broker knows. The contract kit holds a plugin to every sentence of this package.
 */
public interface Broker {

    /** What people type, the folder's name, the label in reports: lower case letters and digits. */
    String name();

    /** What it can do beyond the minimum; the contract kit holds it to exactly this. */
    Set<Capability> capabilities();

    /**
     * A source of chunks for Flink. Its split ids are stable over restarts; a checkpointed position is always the end of a
     * chunk; chunks of one partition come in order.
     */
    Source<PayloadChunk, ?, ?> source(Options options, SourceSpec spec);

    /**
     * A sink to a topic, at least once: what was written before a checkpoint is stored when it completes. It waits for the broker
     * as long as {@link SinkSpec#sendLimit} lets it; then it fails.
     */
    <T> Sink<T> sink(Options options, SinkSpec<T> spec);

    /** Connects from outside Flink; throws EnvironmentException when no broker answers within 30 s. */
    BrokerClient connect(Options options);

    /**
     * Starts a real server on this machine, on loopback, with its data and its log below {@code workDirectory}; returns when
     * a client can use it. Where a server that an earlier process started on that directory is still alive, it is taken over
     * and nothing is started.
     *
     * @param options {@code port} (a port that is taken is a UserException; absent: the broker's well-known port, else the
     *     next free one), {@code memory} (bytes of the server's process, a bound, not a wish), what the plugin adds, and those of
     *     the clients, such as {@code compression}: people name one list for both, and {@link LocalBroker#options} hands them on
     */
    LocalBroker startLocal(Path workDirectory, Options options);

    /**
     * The bound on memory, in bytes, that {@link #startLocal} would hold a server to with these options; starts nothing.
     * Comparisons of brokers ask for it, to see that none may take more than another.
     *
     * @implSpec What the option {@code memory} says, else the plugin's own default. Empty where a plugin does not say: then a
     *     comparison refuses it, unless a control group bounds all processes of each broker alike.
     */
    default OptionalLong localMemoryBytes(Options options) {
        return OptionalLong.empty();
    }

    /**
     * What the topics of a server that {@link #startLocal} would start with these options can be promised to keep, all together, in
     * bytes; starts nothing. Who starts a server asks for it, to refuse before the start what {@link BrokerClient#createTopic} would
     * refuse after it.
     *
     * @implSpec Only a server that keeps readings in its memory says. Empty where they are on disk.
     */
    default OptionalLong localRoomBytes(Options options) {
        return OptionalLong.empty();
    }

    /** What of that room a topic takes that is to keep so much: retention may drop whole blocks only. */
    default long localTopicBytes(TopicSpec topic) {
        return topic.retentionBytes();
    }

    /**
     * Which of these options tell only a server that {@link #startLocal} starts. Where the server is started otherwise, as on a
     * cluster, they would do nothing, and are refused.
     *
     * @return keys, sorted; where other values of a key mean the clients too, {@code key=value}. Never a value that may be a secret.
     * @implSpec At least {@code memory} and {@code port}; a plugin that has manifests for a cluster names what it adds, too.
     */
    default List<String> ofLocalServer(Options options) {
        return PluginOptions.ofLocalServer(options);
    }
}
