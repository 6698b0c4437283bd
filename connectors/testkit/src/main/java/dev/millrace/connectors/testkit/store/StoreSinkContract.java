package dev.millrace.connectors.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.store.StoreSink;
import dev.millrace.connectors.testkit.flink.LocalFlink;
import dev.millrace.core.settings.Options;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import dev.millrace.core.window.WindowTypes;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The sink in a Flink job that fails again and again, on a way to the server that loses answers, while the server is killed: 100,000
 * windows, each stored once. A store's module extends it and names its store.
 */
public abstract class StoreSinkContract extends StoreBench {
    private static final int ROWS = 100_000;
    private static final int DEVICES = 100;
    private static final int FAILURES = 6;
    private static final int ROWS_BETWEEN_PAUSES = 25;

    /** The job runs in this JVM; a new attempt must know how often the ones before it failed. */
    private static final AtomicInteger FAILED = new AtomicInteger();

    private HttpFaults faults;

    @BeforeEach
    void between() {
        FAILED.set(0);
        faults = new HttpFaults(local.url(), isInsert());
    }

    @AfterEach
    void removeFromBetween() {
        faults.close();
    }

    /** Lets the numbers through at a bounded pace and fails behind every second checkpoint. */
    private static final class FailsOften extends RichMapFunction<Long, Long> implements CheckpointListener {
        private int checkpoints;

        @Override
        public Long map(Long number) {
            // Some seconds for the whole of it: there must be checkpoints in between.
            if (number % ROWS_BETWEEN_PAUSES == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            if (checkpoints >= 2 && FAILED.get() < FAILURES) {
                FAILED.incrementAndGet();
                throw new IllegalStateException("injected failure " + FAILED.get());
            }
            return number;
        }

        @Override
        public void notifyCheckpointComplete(long id) {
            checkpoints++;
        }
    }

    private StreamExecutionEnvironment environment() {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 100);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve("checkpoints").toUri().toString());
        StreamExecutionEnvironment environment = LocalFlink.environment(2, configuration);
        environment.enableCheckpointing(100);
        return environment;
    }

    private static DeviceWindow window(long number) {
        return Blocks.window("device-" + number % DEVICES, (number / DEVICES + 1) * Blocks.WINDOW_MILLIS);
    }

    @Test
    @DisplayName("every row is stored once, while the job and the server die in turn and answers are lost")
    void exactlyOnce() throws Exception {
        Options options = local.options().with("url", faults.url());
        StreamExecutionEnvironment environment = environment();
        DataStream<Long> numbers = environment.fromSequence(0, ROWS - 1).map(new FailsOften());
        numbers.map(StoreSinkContract::window)
                .returns(WindowTypes.DEVICE_WINDOW)
                .assignTimestampsAndWatermarks(WatermarkStrategy.<DeviceWindow>forMonotonousTimestamps()
                        .withTimestampAssigner((window, before) -> window.windowEnd() - 1))
                // Every full block goes by way of a file.
                .sinkTo(StoreSink.windows(name(), options)
                        .withBlockRows(1_500)
                        .withFilesIn(directory.resolve("rows").toUri().toString(), 0))
                .uid("windows");
        numbers.filter(number -> number % 10 == 0)
                .map(number -> Blocks.deadLetter(0, number, 50))
                .returns(WindowTypes.DEAD_LETTER)
                .sinkTo(StoreSink.deadLetters(name(), options))
                .uid("dead-letters");
        JobClient job = environment.executeAsync("windows and dead letters");
        for (int kill = 1; kill <= 2; kill++) {
            awaitWindows(kill * ROWS / 4);
            faults.next(new HttpFaults.Fault.AnswerLost(), new HttpFaults.Fault.RequestLost());
            local.kill();
            local.restart();
        }
        JobExecutionResult result = job.getJobExecutionResult().get(120, TimeUnit.SECONDS);
        assertThat(result.getJobID()).isEqualTo(job.getJobID());
        assertThat(FAILED.get()).as("failures").isGreaterThanOrEqualTo(FAILURES / 2);
        assertThat(faults.waiting()).as("faults that came to nothing").isZero();

        AtomicInteger next = new AtomicInteger();
        AtomicInteger different = new AtomicInteger();
        client.windows(Long.MIN_VALUE, Long.MAX_VALUE, row -> {
            int slice = next.getAndIncrement() / DEVICES;
            boolean expected = row.windowEnd() == (slice + 1) * Blocks.WINDOW_MILLIS
                    && row.equals(Blocks.window(row.deviceId(), row.windowEnd()));
            if (!expected) {
                different.incrementAndGet();
            }
        });
        assertThat(next.get()).as("rows").isEqualTo(ROWS);
        assertThat(storedRows()).as("rows as they lie there").isEqualTo(ROWS);
        assertThat(different.get()).as("rows that differ").isZero();
        AtomicInteger letters = new AtomicInteger();
        client.deadLetters(letter -> {
            DeadLetter expected = Blocks.deadLetter(0, letters.getAndIncrement() * 10L, 50);
            assertThat(letter).isEqualTo(expected);
        });
        assertThat(letters.get()).isEqualTo(ROWS / 10);
        assertThat(client.extent().completeTo()).isEqualTo(Long.MAX_VALUE);
    }

    private void awaitWindows(long count) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (client.extent().windows() < count) {
            assertThat(System.nanoTime())
                    .as("time to store " + count + " windows")
                    .isLessThan(deadline);
            LockSupport.parkNanos(20_000_000);
        }
    }
}
