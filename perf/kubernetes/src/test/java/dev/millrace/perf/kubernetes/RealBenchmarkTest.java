package dev.millrace.perf.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.kubernetes.TestCluster;
import dev.millrace.deploy.kubernetes.TestCluster.Ended;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.ClockPair;
import dev.millrace.perf.result.Comparison;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.ResultJson;
import dev.millrace.perf.result.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scenario quick on a cluster with real pods, by the command that a person types; one pair, to be short. */
@Tag("cluster")
class RealBenchmarkTest {
    private static final Duration BOUND = Duration.ofMinutes(25);

    @TempDir
    static Path directory;

    @TempDir
    Path runDirectory;

    private static TestCluster cluster;

    @BeforeAll
    static void up() throws IOException {
        cluster = TestCluster.up(directory.resolve("cluster"), TestCluster.brokers());
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    @DisplayName(
            "a report of all brokers that have manifests: audits equal, every part's use known, one node and so no verdict")
    void quick() throws IOException {
        List<String> brokers = TestCluster.brokers();
        Ended ended = cluster.millrace(
                BOUND,
                "benchmark",
                "--scenario",
                "quick",
                "--pairs",
                "1",
                "--measure",
                "10s",
                "--base",
                "this-machine",
                "--run-dir",
                runDirectory.toString());
        BenchmarkResult result = ResultJson.read(file("result.json"));
        assertThat(result.runs()).extracting(Run::subject).containsExactlyInAnyOrderElementsOf(brokers);
        assertThat(result.runs()).allSatisfy(run -> {
            assertThat(run.audit()).as(ended.out()).contains("nothing missing, surplus or different");
            assertThat(run.auditEqual()).isTrue();
            assertThat(run.figures())
                    .containsKeys(
                            Figure.CPU_BROKER,
                            Figure.CPU_JOB,
                            Figure.CPU_STORE,
                            Figure.CPU_GENERATOR,
                            Figure.SEND_P99,
                            Figure.ROWS_P50);
            assertThat(run.figures().get(Figure.CPU_BROKER)).isPositive();
            assertThat(run.figures().get(Figure.MEMORY_BROKER)).isPositive();
            assertThat(run.evidence().get("memoryPeakMiB")).isPositive();
            assertThat(ClockPair.of(run)).hasSize(1).allSatisfy(clocks -> {
                // Two clocks of one node are one: how sure that is depends on what else the machine does.
                assertThat(clocks.nodes()).isEqualTo("node-0 to node-0");
                assertThat(Math.abs(clocks.offsetMillis())).isLessThanOrEqualTo(clocks.uncertaintyMillis() + 0.001);
            });
            assertThat(file(run.log())).isNotEmptyFile();
        });
        assertThat(result.caveats().get(0))
                .startsWith("One node, replication 1")
                .endsWith("no verdict.");
        assertThat(result.comparisons()).extracting(Comparison::verdict).containsOnly(Comparison.Verdict.NONE);
        assertThat(file("report.html")).isNotEmptyFile();
        assertThat(cluster.kubectl("get", "namespaces", "--output", "name").out())
                .doesNotContain("millrace-benchmark");
    }

    private Path file(String name) throws IOException {
        try (Stream<Path> results = Files.list(runDirectory.resolve("results"))) {
            return results.findFirst().orElseThrow().resolve(name);
        }
    }
}
