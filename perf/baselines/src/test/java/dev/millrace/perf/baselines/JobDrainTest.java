package dev.millrace.perf.baselines;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.job.FlinkDefaults;
import dev.millrace.connectors.job.StackJob;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A drain by a Flink job")
class JobDrainTest {
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    @DisplayName("ends with what its job failed of: one that began again would have counted readings twice")
    void failsOnce(@TempDir Path folder) throws Exception {
        StackJob job = StackJob.of(
                Options.of(Map.of(
                        "broker", "none",
                        "topic", "readings",
                        "reader-group", "drain",
                        "store", "counting",
                        "stop-at", "end",
                        "parallelism", "1",
                        "checkpoint-directory", folder.toUri().toString())),
                "the test's settings");
        Drain drain = JobDrain.start(job, (environment, settings) -> {
            environment.configure(FlinkDefaults.job(settings.settings()));
            environment
                    .fromSequence(1, 10)
                    .uid("numbers")
                    .map(JobDrainTest::fail)
                    .uid("fails")
                    .print()
                    .uid("out");
        });
        assertThatThrownBy(drain::await).hasStackTraceContaining("the disk is full");
    }

    private static Long fail(Long number) {
        throw new IllegalStateException("the disk is full");
    }
}
