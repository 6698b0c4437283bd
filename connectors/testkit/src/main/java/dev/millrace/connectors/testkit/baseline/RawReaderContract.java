package dev.millrace.connectors.testkit.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.Named;
import dev.millrace.connectors.api.baseline.RawReader;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a {@link RawReader} promises. One server for each class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 90, unit = TimeUnit.SECONDS)
public abstract class RawReaderContract {
    private static final int RECORDS = 20_000;
    private static final int PARTITIONS = 3;

    private @Nullable Backlog backlog;

    /** The plugin of the reader under test. */
    protected abstract Broker broker();

    /** What {@link Broker#startLocal} gets: a bound on memory above all. */
    protected abstract Options localOptions();

    @BeforeAll
    void startServer(@TempDir Path directory) {
        backlog = new Backlog(broker(), localOptions(), directory);
        backlog.fill("raw", PARTITIONS, 100, RECORDS);
    }

    @AfterAll
    void stopServer() {
        if (backlog != null) {
            backlog.close();
        }
    }

    private long read(String topic, int threads) throws Exception {
        LongAdder records = new LongAdder();
        Named.find(RawReader.class, RawReader::name, "raw reader", broker().name())
                .read(backlog.options(), topic, threads, records);
        return records.sum();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {1, 2, PARTITIONS + 1})
    @DisplayName("it counts every record once, with any number of threads")
    void countsEveryRecordOnce(int threads) throws Exception {
        assertThat(read("raw", threads)).isEqualTo(RECORDS);
    }

    @Test
    @DisplayName("it leaves the records where they are")
    void readsAgain() throws Exception {
        assertThat(read("raw", 1)).isEqualTo(RECORDS);
        assertThat(read("raw", 1)).isEqualTo(RECORDS);
    }

    @Test
    @DisplayName("it does not wait for an empty partition")
    void emptyPartitions() throws Exception {
        backlog.fill("one-key", PARTITIONS, 1, 10);
        assertThat(read("one-key", 2)).isEqualTo(10);
    }

    @Test
    @DisplayName("it says that there is no such topic")
    void noSuchTopic() {
        assertThatThrownBy(() -> read("none", 1))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("none");
    }
}
