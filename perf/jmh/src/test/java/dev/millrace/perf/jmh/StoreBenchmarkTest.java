package dev.millrace.perf.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.testkit.store.ClickHouseEngine;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

@Tag("server")
@Timeout(120)
@DisplayName("The benchmark of the store's sink")
class StoreBenchmarkTest {
    @TempDir
    private Path directory;

    @Test
    @DisplayName("runs, with its baseline")
    void run() throws RunnerException {
        System.setProperty("jmh.ignoreLock", "true");
        try (ClickHouseEngine engine = ClickHouseEngine.start(directory)) {
            assertThat(new Runner(new OptionsBuilder()
                                    .include(StoreInsertBenchmark.class.getSimpleName())
                                    .forks(0)
                                    .mode(Mode.SingleShotTime)
                                    .warmupIterations(0)
                                    .measurementIterations(1)
                                    .param("url", engine.url())
                                    .shouldFailOnError(true)
                                    .verbosity(VerboseMode.SILENT)
                                    .build())
                            .run())
                    .hasSize(2)
                    .allSatisfy(result ->
                            assertThat(result.getPrimaryResult().getScore()).isPositive());
        }
    }
}
