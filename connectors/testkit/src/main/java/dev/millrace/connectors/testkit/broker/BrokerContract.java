package dev.millrace.connectors.testkit.broker;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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
                ServerChapter {

    @TempDir
    static Path temporary;

    private Bench bench;

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

    @BeforeAll
    void startServer() {
        Path directory = temporary.resolve(getClass().getSimpleName());
        bench = new Bench(broker(), directory, localOptions(), bound(), retentionBound());
    }

    @AfterAll
    void stopServer() {
        if (bench != null) {
            bench.close();
        }
    }

    @Override
    public final Bench bench() {
        return bench;
    }
}
