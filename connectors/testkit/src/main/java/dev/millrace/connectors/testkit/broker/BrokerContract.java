package dev.millrace.connectors.testkit.broker;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole contract of {@code connectors/api/broker}, chapter by chapter. A plugin's test extends it, says which broker
 * and with which options a local server is started, and carries {@code @Tag("server")} when that is a process. ONE server
 * is started for each class, in a directory of its own, and always stopped.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
public abstract class BrokerContract
        implements TopicChapter,
                PublishChapter,
                SubscribeChapter,
                SourceChapter,
                RestartChapter,
                SinkChapter,
                OptionsChapter,
                ServerChapter,
                FaultChapter {

    @TempDir
    static Path temporary;

    private @Nullable Bench bench;
    private @Nullable Throwable failure;

    /** The plugin under test. */
    protected abstract Broker broker();

    /** What {@link Broker#startLocal} gets: a bound on memory above all. */
    protected abstract Options localOptions();

    /** What a single step may take on a slow and shared machine before its sentence fails. */
    protected Duration bound() {
        return Duration.ofSeconds(30);
    }

    /** How long the server may take to drop what retention allows it to drop. */
    protected Duration retentionBound() {
        return Duration.ofSeconds(60);
    }

    /** How long the server is silent in the sentence about silence: longer than any time-out that a client may have. */
    protected Duration silence() {
        return Duration.ofSeconds(40);
    }

    /** How often the source is killed in mid-batch; a broker that is known to be broken shows it sooner. */
    protected int kills() {
        return 10;
    }

    /**
     * Whether clients, wherever they first connected, go on to the address that the server tells them. Then {@link
     * Broker#startLocal} knows the options {@code inner-port} (a second port on which the server listens) and {@code
     * advertised-port} (what it tells those who come in there), so that they stay behind a proxy.
     */
    protected boolean tellsItsAddress() {
        return false;
    }

    /**
     * What makes publishers store batches of {@value FaultChapter#BATCH} and more, and the source hand them on in smaller
     * chunks where it can; added to {@link LocalBroker#options}.
     */
    protected Options ofBatches(Options options) {
        return options;
    }

    /** How many batches of the topic the server holds, by the server's own data; empty where it does not store batches. */
    protected OptionalLong storedBatches(LocalBroker local, String topic) {
        return OptionalLong.empty();
    }

    @BeforeAll
    void startServer() {
        try {
            bench = new Bench(this, temporary.resolve(getClass().getSimpleName()));
        } catch (RuntimeException | Error e) {
            // Each sentence says it: to whoever writes a plugin, all are red until there is a server.
            failure = e;
        }
    }

    @AfterAll
    void stopServer() {
        if (bench != null) {
            bench.close();
        }
    }

    @Override
    public final Bench bench() {
        if (bench == null) {
            throw new AssertionError("no server: " + failure, failure);
        }
        return bench;
    }
}
