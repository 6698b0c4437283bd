package dev.millrace.perf.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.cost.Cost;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.run.Runs;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.Turn;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.scenario.ScenarioFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkTest {
    @TempDir
    Path base;

    @Test
    void whoeverEndsItBetweenTwoRunsHasAResultThatSaysSo() {
        Scenario scenario = ScenarioFile.load(Installation.here().root().resolve("perf/scenarios"), "quick");
        NoGround ground = new NoGround();
        Benchmark benchmark =
                new Benchmark(ground, scenario, List.of("north"), "", 2, 1, Cost.unknown(), base, line -> {});
        // After the run has ended, in the middle of its result.
        ground.inResult = () -> {
            if (ground.runs == 1) {
                benchmark.interrupt();
            }
        };
        BenchmarkResult result = benchmark.run().result();
        assertThat(result.runs()).hasSize(1);
        assertThat(result.interrupted()).isTrue();
    }

    /** Runs on nothing, and measures nothing. */
    private static final class NoGround implements Ground {
        private int runs;
        private Runnable inResult = () -> {};

        @Override
        public void check(List<String> brokers, String floor) {}

        @Override
        public boolean has(String broker) {
            return true;
        }

        @Override
        public Map<String, String> up() {
            return Map.of();
        }

        @Override
        public Map<String, String> environment() {
            return Map.of();
        }

        @Override
        public Rig rig(Interruption interruption, Consumer<String> progress) {
            return Rig.unknown();
        }

        @Override
        public Runs runs(Path results, Interruption interruption, Consumer<String> progress) {
            return new Runs() {
                @Override
                public Run run(Turn turn) {
                    runs++;
                    return turn.unmeasured("2026-07-20T00:00:00Z", "nothing was measured");
                }

                @Override
                public boolean isStarting() {
                    return false;
                }
            };
        }

        @Override
        public List<String> caveats() {
            inResult.run();
            return List.of("Nothing is measured.");
        }

        @Override
        public String withheld() {
            return "";
        }

        @Override
        public String memory() {
            return "not bounded";
        }
    }

    @Test
    void aVerdictIsWithheldForTheCausesThereAreAndNoOther() {
        assertThat(Benchmark.withheld(true, true, "")).isEmpty();
        assertThat(Benchmark.withheld(false, true, "")).isEqualTo("the memory budget was not enforced");
        assertThat(Benchmark.withheld(true, false, "")).isEqualTo("the brokers have different numbers of replicas");
        assertThat(Benchmark.withheld(true, true, "all ran on one node")).isEqualTo("all ran on one node");
        assertThat(Benchmark.withheld(false, false, ""))
                .isEqualTo("the memory budget was not enforced and the brokers have different numbers of replicas");
    }
}
