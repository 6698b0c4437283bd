package dev.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkCommandTest {
    @TempDir
    Path folder;

    @Test
    void whatIsWrongWithInstancesIsSaidBesideWhatElseIsWrong() {
        Outcome outcome = Outcome.of(
                "benchmark",
                "--scenario",
                "quick",
                "--pairs",
                "0",
                "--instances",
                "broker=c5.xlarg,clients:c5.2xlarge",
                "--dry-run");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .startsWith("millrace: --pairs is 0; it must be from 1 to 100; --instances: 'c5.xlarg' of broker is no")
                .contains("Did you mean 'c5.xlarge'?; --instances: 'clients:c5.2xlarge' must be NAME=TYPE*COUNT");
    }

    @Test
    void aBrokerThatIsNamedTwiceIsRefusedWithAllElseThatIsWrong() {
        Outcome whole = Outcome.of(
                "benchmark", "--scenario", "quick", "--brokers", "here,there,here", "--pairs", "0", "--dry-run");
        assertThat(whole.exitCode()).isEqualTo(2);
        assertThat(whole.err())
                .startsWith("millrace: --brokers names 'here' twice; name each once; --pairs is 0; it must be");
        Outcome publish = Outcome.of("benchmark", "publish", "--brokers", "here,here", "--rounds", "0");
        assertThat(publish.exitCode()).isEqualTo(2);
        assertThat(publish.err())
                .startsWith("millrace: --brokers names 'here' twice; name each once; --rounds is 0; it must be");
    }

    @Test
    void variantsThatAreUnknownOrNamedTwiceAreRefusedWithAllElseThatIsWrong() {
        for (String benchmark : List.of("backlog", "latency")) {
            Outcome outcome = Outcome.of(
                    "benchmark", benchmark, "--brokers", "here", "--variants", "ours,stok,ours", "--rounds", "0");
            assertThat(outcome.exitCode()).isEqualTo(2);
            assertThat(outcome.err())
                    .startsWith("millrace: ")
                    .contains("--variants has 'stok'", "did you mean 'stock'?", "there are: raw, plain, stock")
                    .contains("--variants names 'ours' twice; name each once")
                    .contains("--rounds is 0; it must be");
        }
    }

    @Test
    void workThatOnlyOursDoesIsNoComparison() {
        for (String benchmark : List.of("backlog", "latency")) {
            List<String> sliding = List.of(
                    "benchmark",
                    benchmark,
                    "--brokers",
                    "here",
                    "--window",
                    "10s",
                    "--rounds",
                    "0",
                    "--up",
                    "slide=1s");
            List<String> compared = new ArrayList<>(sliding);
            compared.addAll(List.of("--variants", "stock,ours"));
            assertThat(Outcome.of(compared.toArray(String[]::new)).err())
                    .contains("--up slide=1s is not what these variants do: stock; name the others with --variants");
            List<String> alone = new ArrayList<>(sliding);
            alone.addAll(List.of("--variants", "ours"));
            assertThat(Outcome.of(alone.toArray(String[]::new)).err()).doesNotContain("slide");
            List<String> other = new ArrayList<>(sliding);
            other.set(other.size() - 1, "job=latest-times");
            other.addAll(List.of("--variants", "published,ours,stock"));
            assertThat(Outcome.of(other.toArray(String[]::new)).err())
                    .contains("--up job=latest-times is not what these variants do: published, stock;");
            List<String> onDisk = new ArrayList<>(sliding);
            onDisk.set(onDisk.size() - 1, "state-backend=rocksdb");
            onDisk.addAll(List.of("--variants", "published,ours,stock"));
            assertThat(Outcome.of(onDisk.toArray(String[]::new)).err())
                    .contains("--up state-backend=rocksdb is not what these variants do: stock;");
            List<String> elsewhere = new ArrayList<>(sliding);
            elsewhere.set(elsewhere.size() - 1, "store=clickhouse");
            elsewhere.addAll(List.of("--variants", "raw,ours", "--up", "results=topic"));
            assertThat(Outcome.of(elsewhere.toArray(String[]::new)).err())
                    .contains("--up store=clickhouse is not what these variants do: ours;")
                    .contains("--up results=topic is not what these variants do: ours;");
            List<String> tumbling = new ArrayList<>(compared);
            tumbling.set(sliding.size() - 1, "slide=10000ms");
            assertThat(Outcome.of(tumbling.toArray(String[]::new)).err()).doesNotContain("slide");
        }
    }

    @Test
    void aBrokerWithoutALoadToolIsSaidBeforeAnotherIsMeasured() {
        Outcome outcome = Outcome.of("benchmark", "publish", "--brokers", "memory,nowhere", "--rounds", "1");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .contains("broker 'memory' has no load tool", "'nowhere'")
                .doesNotContain("the broker starts");
    }

    @Test
    void rowsThatDoNotFitTheLoopWithoutFlinkAreSaidBeforeAnythingIsFilled() {
        List<String> large = List.of(
                "benchmark",
                "backlog",
                "--brokers",
                "here",
                "--readings",
                "30000000",
                "--devices",
                "1000000",
                "--window",
                "1000s",
                // So that it ends there in any case.
                "--rounds",
                "0");
        assertThat(Outcome.of(large.toArray(String[]::new)).err())
                .contains(
                        "variant 'plain' keeps its rows",
                        "some 4,000,000 do not fit 1.0 GiB; --up taskmanager-memory=5GiB");
        List<String> withMemory = new ArrayList<>(large);
        withMemory.addAll(List.of("--up", "taskmanager-memory=5GiB"));
        assertThat(Outcome.of(withMemory.toArray(String[]::new)).err())
                .contains("--rounds is 0")
                .doesNotContain("'plain'");
        List<String> withoutIt = new ArrayList<>(large);
        withoutIt.addAll(List.of("--variants", "ours"));
        assertThat(Outcome.of(withoutIt.toArray(String[]::new)).err())
                .contains("--rounds is 0")
                .doesNotContain("'plain'");
    }

    @Test
    void latenciesAreOfReadingsThatComeByTheClock() {
        Outcome outcome =
                Outcome.of("benchmark", "latency", "--brokers", "here", "--up", "acceleration=60", "--up", "start=0");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("--up has 'acceleration', but").contains("--up has 'start', but");
    }

    @Test
    @Tag("server")
    void whatBrokerOrStoreDoNotKnowIsSaidByADryRun() {
        String floor = ScenarioFile.load(Installation.here().root().resolve("perf/scenarios"), "quick")
                .floor();
        for (String wrong : List.of("broker.nonsense=1", "store.nonsense=1")) {
            Outcome outcome = Outcome.of(
                    "benchmark",
                    "--scenario",
                    "quick",
                    "--brokers",
                    floor,
                    "--up",
                    wrong,
                    "--run-dir",
                    folder.toString(),
                    "--dry-run");
            assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(2);
            assertThat(outcome.err()).contains("'nonsense'").doesNotContain("order (seed");
        }
    }

    @Test
    @Tag("server")
    void aBacklogThatABrokersMemoryCannotHoldIsRefusedBeforeAnythingIsFilled() {
        String floor = ScenarioFile.load(Installation.here().root().resolve("perf/scenarios"), "quick")
                .floor();
        Outcome outcome = Outcome.of(
                "benchmark", "backlog", "--brokers", floor, "--variants", "ours", "--run-dir", folder.toString());
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(2);
        assertThat(outcome.err())
                .contains("keeps readings in its process only", "--up broker-memory=3GiB")
                .doesNotContain("filling");
    }

    @Test
    void aScenarioMayBeCalledAsASubCommandIs() {
        assertThat(Outcome.of("benchmark", "--scenario", "backlog", "--pairs", "0", "--dry-run")
                        .err())
                .startsWith("millrace: --pairs is 0; it must be from 1 to 100");
    }

    @Test
    void aTypeWithoutAPriceIsSaidBeforeAnythingIsMeasured() {
        Outcome outcome = Outcome.of(
                "benchmark",
                "--scenario",
                "quick",
                "--brokers",
                "nowhere",
                "--instances",
                "broker=zz9.xlarge*3",
                "--dry-run");
        assertThat(outcome.err())
                .startsWith("no price for zz9.xlarge in deploy/infrastructure/prices: the report will have no cost");
    }

    @Test
    void aScenarioThatDecidesByCostNeedsInstancesWithPrices() throws IOException {
        Path scenario = Files.writeString(
                folder.resolve("cheap.yaml"),
                "description: By cost.\ndecides: costPerBillion\nload:\n  rate: 1000\nphases:\n  warmUp: 0s\n  measure: 10s\n");
        Outcome outcome = Outcome.of("benchmark", "--scenario", scenario.toString(), "--dry-run");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .startsWith("millrace: scenario cheap decides by costPerBillion: name with --instances what it runs on,"
                        + " types that all have a price");
    }
}
