package dev.millrace.perf.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

@DisplayName("The benchmarks")
class BenchmarksTest {
    /** So many and no time: on a busy machine too it is 300,000 readings, and three times all rows of the table. */
    private static final int INVOCATIONS = 60;

    @Test
    @DisplayName("all run, and reader, decoder and table allocate less than a byte for each reading")
    void run() throws RunnerException {
        // Another run on this machine disturbs figures, of which none is looked at here but bytes.
        System.setProperty("jmh.ignoreLock", "true");
        Options options = new OptionsBuilder()
                .include(BenchmarksTest.class.getPackageName())
                .forks(0)
                .mode(Mode.SingleShotTime)
                .warmupIterations(1)
                .warmupBatchSize(INVOCATIONS / 10)
                .measurementIterations(1)
                .measurementBatchSize(INVOCATIONS)
                .param("devices", "1000")
                .param("readingsPerRow", "100")
                .param("readingsPerPartial", "10")
                // It needs a server: StoreBenchmarkTest.
                .exclude(StoreInsertBenchmark.class.getSimpleName())
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        Map<String, RunResult> results = new TreeMap<>();
        for (RunResult result : new Runner(options).run()) {
            String name = result.getParams().getBenchmark();
            results.put(name.substring(BenchmarksTest.class.getPackageName().length() + 1), result);
        }
        assertThat(results.keySet())
                .containsExactly(
                        "ChunkReaderBenchmark.baseline",
                        "ChunkReaderBenchmark.read",
                        "DecoderBenchmark.baseline",
                        "DecoderBenchmark.decode",
                        "DecoderBenchmark.decodeOne",
                        "PreAggregationBenchmark.baseline",
                        "PreAggregationBenchmark.preAggregate",
                        "SerializerBenchmark.baseline",
                        "SerializerBenchmark.writeAndRead");
        assertThat(results).allSatisfy((name, result) -> {
            assertThat(result.getPrimaryResult().getStatistics().getN()).isPositive();
            assertThat(result.getPrimaryResult().getScore()).isPositive();
        });
        assertThat(bytes(results, "ChunkReaderBenchmark.read")).isLessThan(1);
        assertThat(bytes(results, "DecoderBenchmark.decode")).isLessThan(1);
        assertThat(bytes(results, "DecoderBenchmark.decodeOne")).isLessThan(1);
        assertThat(bytes(results, "PreAggregationBenchmark.preAggregate")).isLessThan(1);
        // What is measured is there: the usual way allocates each payload.
        assertThat(bytes(results, "ChunkReaderBenchmark.baseline")).isGreaterThan(300);
    }

    private static double bytes(Map<String, RunResult> results, String name) {
        Result<?> bytes = results.get(name).getSecondaryResults().get("gc.alloc.rate.norm");
        // In this mode all invocations are one operation.
        return bytes.getScore() / INVOCATIONS;
    }
}
