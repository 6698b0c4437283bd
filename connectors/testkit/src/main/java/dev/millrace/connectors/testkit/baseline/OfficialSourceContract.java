package dev.millrace.connectors.testkit.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.Named;
import dev.millrace.connectors.api.baseline.OfficialSource;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.connectors.testkit.flink.LocalFlink;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.AbstractDeserializationSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.util.ExceptionUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an {@link OfficialSource} promises. One server for each class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 90, unit = TimeUnit.SECONDS)
public abstract class OfficialSourceContract {
    private static final int RECORDS = 20_000;
    private static final String TOPIC = "official";

    private @Nullable Backlog backlog;

    /** The plugin of the source under test. */
    protected abstract Broker broker();

    /** What {@link Broker#startLocal} gets: a bound on memory above all. */
    protected abstract Options localOptions();

    /**
     * How often the job may be started: a connector whose client gives its connection up on a busy machine fails the job, and
     * whoever runs it has it restarted. What a job that ends has read is never excused.
     */
    protected int starts() {
        return 1;
    }

    @BeforeAll
    void startServer(@TempDir Path directory) {
        backlog = new Backlog(broker(), localOptions(), directory);
        backlog.fill(TOPIC, 3, 100, RECORDS);
    }

    @AfterAll
    void stopServer() {
        if (backlog != null) {
            backlog.close();
        }
    }

    private Source<Integer, ?, ?> source(StopAt stopAt, String readerGroup) {
        SourceSpec spec = new SourceSpec(TOPIC, readerGroup, new StartFrom.Earliest(), stopAt, Duration.ofSeconds(1));
        return Named.find(OfficialSource.class, OfficialSource::name, "official source", broker().name())
                .source(backlog.options(), spec, new Length());
    }

    @Test
    @DisplayName("it gives each record once, decoded, and ends where the topic did")
    void everyRecordOnce() throws Exception {
        List<Integer> lengths = null;
        for (int start = 1; lengths == null; start++) {
            try {
                lengths = job(start);
            } catch (RuntimeException e) {
                if (start == starts()) {
                    throw e;
                }
                System.out.println("start " + start + " failed: " + ExceptionUtils.stringifyException(e));
            }
        }
        List<Integer> published =
                IntStream.range(0, RECORDS).map(Backlog::length).boxed().toList();
        assertThat(lengths.stream().sorted())
                .containsExactlyElementsOf(published.stream().sorted().toList());
    }

    /** Each start in a group of its own: the last one's may still be held. */
    private List<Integer> job(int start) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        return LocalFlink.environment(2, configuration)
                .fromSource(
                        source(StopAt.END, "official-group-" + start),
                        WatermarkStrategy.noWatermarks(),
                        "official",
                        Types.INT)
                .executeAndCollect("official", RECORDS + 1);
    }

    @Test
    @DisplayName("it is bounded when it is to end, and only then")
    void boundedness() {
        assertThat(source(StopAt.END, "bounded").getBoundedness()).isEqualTo(Boundedness.BOUNDED);
        assertThat(source(StopAt.NEVER, "unbounded").getBoundedness()).isEqualTo(Boundedness.CONTINUOUS_UNBOUNDED);
    }

    private static final class Length extends AbstractDeserializationSchema<Integer> {
        Length() {
            super(Integer.class);
        }

        @Override
        public Integer deserialize(byte[] message) {
            return message.length;
        }
    }
}
