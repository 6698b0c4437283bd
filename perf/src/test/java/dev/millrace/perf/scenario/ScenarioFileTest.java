package dev.millrace.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import dev.millrace.perf.probe.Disturbance;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.scenario.Scenario.Checks;
import dev.millrace.perf.scenario.Scenario.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioFileTest {
    private static final Path SHIPPED = Path.of("scenarios");

    private static final String LEAST =
            """
            description: The least that a file says.
            decides: sendP99Millis
            load: {rate: 100}
            phases: {warmUp: 0s, measure: 1s}
            """;

    @TempDir
    Path folder;

    @Test
    void everyShippedFileLoads() {
        assertThat(ScenarioFile.names(SHIPPED))
                .containsExactly("backlog", "burst", "capacity", "fan-out", "quick", "sizing", "soak", "steady");
        assertThat(ScenarioFile.names(SHIPPED)).allSatisfy(name -> {
            Scenario scenario = ScenarioFile.load(SHIPPED, name);
            assertThat(scenario.name()).isEqualTo(name);
            assertThat(scenario.pairs()).isEqualTo(scenario.trend().isPresent() ? 1 : 5);
            assertThat(scenario.floor()).isEqualTo("memory");
            assertThat(scenario.decides()).isEqualTo(decides(scenario));
        });
    }

    @Test
    void whatAScenarioAsksForCanBeHeldAgainstAnother() {
        assertThat(ScenarioFile.load(SHIPPED, "capacity").demands())
                .containsEntry("search.sendP99Millis", "250.0")
                .containsEntry("search.step", "8s")
                .containsKeys("checks.rateShare", "checks.latenessMillis")
                .doesNotContainKeys("backlog.readings", "trend.block");
        // Its bound of the sends' p99 is not set.
        assertThat(ScenarioFile.load(SHIPPED, "soak").demands())
                .containsEntry("trend.memoryMiBPerHour", "256.0")
                .doesNotContainKey("trend.sendP99MillisPerHour");
    }

    /** At a rate that all keep, what they take for it; else what the scenario's own section is about. */
    private static Figure decides(Scenario scenario) {
        if (scenario.search().isPresent()) {
            return Figure.ACCEPTED_RATE;
        }
        if (scenario.backlog().isPresent()) {
            return Figure.DRAIN_RATE;
        }
        if (scenario.burst().isPresent()) {
            return Figure.BURST_EMPTY;
        }
        return scenario.fanOut().isPresent() ? Figure.FAN_OUT_CPU : Figure.CPU_TOTAL;
    }

    @Test
    void everyShippedFileShowsItsSchemaToEditors() {
        assertThat(ScenarioFile.names(SHIPPED)).allSatisfy(name -> {
            String first = Files.readAllLines(SHIPPED.resolve(name + ".yaml")).get(0);
            assertThat(first).startsWith("# yaml-language-server: $schema=");
            assertThat(SHIPPED.resolve(first.substring(first.indexOf('=') + 1))).isRegularFile();
        });
    }

    @Test
    void keysOfLoadAndTopologyBecomeOptionsOfUp() {
        Scenario quick = ScenarioFile.load(SHIPPED, "quick");
        assertThat(quick.load()).isEqualTo(Map.of("rate", "5000", "devices", "500"));
        assertThat(quick.topology())
                .containsEntry("out-of-orderness", "500ms")
                .containsEntry("checkpoint-interval", "300ms")
                .containsEntry("partitions", "4");
        assertThat(quick.up()).containsEntry("rate", "5000").containsEntry("window", "1s");
        assertThat(quick.warmUp()).isEqualTo(Duration.ofSeconds(2));
        assertThat(quick.measure()).isEqualTo(Duration.ofSeconds(20));
        assertThat(quick.memoryBytes()).isEqualTo(4L << 30);
    }

    @Test
    void whatAFileLeavesOutIsAsTheSchemaSays() throws IOException {
        assertThat(load(LEAST))
                .isEqualTo(new Scenario(
                        "mine",
                        "The least that a file says.",
                        List.of(),
                        "",
                        5,
                        Figure.SEND_P99,
                        Map.of("rate", "100"),
                        Map.of(),
                        Durability.VENDOR_DEFAULT,
                        0,
                        Duration.ZERO,
                        Duration.ofSeconds(1),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        new Checks(0.99, Disturbance.MOST_STOLEN, Disturbance.MOST_OF_NEIGHBOURS, 1000)));
    }

    @Test
    void aFanOutIsAsTheFileSaysAndElseAsTheSchemaSays() throws IOException {
        assertThat(load(LEAST + "fanOut: {groups: 2, step: 7s, slowGroupShare: 0.1, slowedShare: 0.3}\n")
                        .fanOut())
                .contains(new Scenario.FanOut(2, Duration.ofSeconds(7), 0.1, 0.3));
        assertThat(load(LEAST + "fanOut: {}\n").fanOut())
                .contains(new Scenario.FanOut(3, Duration.ofSeconds(20), 0.2, 0.05));
    }

    @Test
    void aFanOutThatIsWrongIsRefused() {
        assertThatThrownBy(() -> load(LEAST + "fanOut: {groups: 1, step: 500ms}\n"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("fanOut.groups is '1'; it must be a whole number from 2 to 16")
                .hasMessageContaining("fanOut.step is '500ms'; it must be from 1s to 1h");
    }

    @Test
    void whatAFileSaysIsInTheScenario() throws IOException {
        Scenario scenario = load(
                LEAST
                        + """
                brokers: [one, two]
                floor: three
                pairs: 100
                durability: matched
                topology: {retentionBytes: 2GiB, slide: 500ms, taskmanagerMemory: 2GiB}
                checks: {rateShare: 0.5, latenessMillis: 7}
                """);
        assertThat(scenario.brokers()).containsExactly("one", "two");
        assertThat(scenario.floor()).isEqualTo("three");
        assertThat(scenario.pairs()).isEqualTo(100);
        assertThat(scenario.durability()).isEqualTo(Durability.MATCHED);
        assertThat(scenario.topology())
                .isEqualTo(Map.of("retention-bytes", "2GiB", "slide", "500ms", "taskmanager-memory", "2GiB"));
        assertThat(scenario.checks()).isEqualTo(new Checks(0.5, 0.02, 0.05, 7));
    }

    @Test
    void aBurstIsWhatTheFileSaysAndElseAsTheSchemaHasIt() throws IOException {
        String topology = "topology: {results: topic, resultsSendLimit: 30s}\n";
        Scenario scenario = load(LEAST + topology + "burst: {sends: 500}\n");
        assertThat(scenario.burst()).contains(new Scenario.Burst(500, 64));
        assertThat(scenario.up()).containsEntry("results", "topic").containsEntry("results-send-limit", "30s");
        assertThat(load(LEAST + topology).burst()).isEmpty();
    }

    @Test
    void aBurstWithoutAResultTopicAndAcceleratedTimeWithASearchAreRefused() throws IOException {
        assertThatThrownBy(() -> load(LEAST.replace("rate: 100", "rate: 100, acceleration: 60")
                        + "burst: {}\nsearch: {most: 1000, sendP99Millis: 50}\n"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("burst needs topology.results; it must be topic")
                .hasMessageContaining(
                        "burst needs topology.resultsSendLimit; it must be how long a send may take, such as 30s")
                .hasMessageContaining("load.acceleration and search exclude each other; leave one of them out");
        assertThatThrownBy(() ->
                        load(LEAST.replace("rate: 100", "rate: 100, acceleration: 60") + "backlog: {}\nfanOut: {}\n"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("load.acceleration and backlog exclude each other")
                .hasMessageContaining("load.acceleration and fanOut exclude each other");
        String moves = LEAST.replace("rate: 100", "rate: 100, shape: sine, shapeRate: 300, shapePeriod: 20s");
        assertThat(load(moves).load())
                .isEqualTo(Map.of("rate", "100", "shape", "sine", "shape-rate", "300", "shape-period", "20s"));
        assertThatThrownBy(() -> load(moves + "search: {most: 1000, sendP99Millis: 50}\n"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("load.shape and search exclude each other");
    }

    @Test
    void aSearchIsRefusedBesideWhatCountsWithTheRateThatARunStartsWith() {
        String search = LEAST + "search: {most: 1000, sendP99Millis: 50}\n";
        assertThatThrownBy(() -> load(search + "backlog: {}\nfanOut: {}\nburst: {}\n"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("search and backlog exclude each other; leave one of them out")
                .hasMessageContaining("search and fanOut exclude each other; leave one of them out")
                .hasMessageContaining("search and burst exclude each other; leave one of them out");
    }

    @Test
    void numbersAreWrittenAsOptionsReadThem() throws IOException {
        String load = "load: {rate: 1e4, devices: 1_000, payloadBytes: 300.0, payloadEntropy: 0.50}";
        assertThat(load(LEAST.replace("load: {rate: 100}", load)).load())
                .isEqualTo(
                        Map.of("rate", "10000", "devices", "1000", "payload-bytes", "300", "payload-entropy", "0.5"));
    }

    @Test
    void aPathIsReadAsItIs() throws IOException {
        Path file = Files.writeString(folder.resolve("other.yml"), LEAST);
        assertThat(ScenarioFile.load(SHIPPED, file.toString()).name()).isEqualTo("other");
        assertThatThrownBy(() -> ScenarioFile.load(SHIPPED, "nowhere/x"))
                .isInstanceOf(UserException.class)
                .hasMessage("there is no scenario file nowhere/x");
        // Only a bare name is looked for among the shipped ones.
        assertThatThrownBy(() -> ScenarioFile.load(SHIPPED, "quick.yaml"))
                .hasMessage("there is no scenario file quick.yaml");
        assertThatThrownBy(() -> ScenarioFile.load(SHIPPED, folder.toString()))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("cannot read " + folder);
    }

    @Test
    void anUnknownNameIsAnsweredWithThoseThatAreThere() {
        assertThatThrownBy(() -> ScenarioFile.load(SHIPPED, "quik"))
                .isInstanceOf(UserException.class)
                .hasMessage(
                        "there is no scenario 'quik' in scenarios. Did you mean 'quick'? There are: backlog, burst, capacity, fan-out, quick, sizing, soak, steady");
        assertThatThrownBy(() -> ScenarioFile.load(SHIPPED, "nightly"))
                .hasMessage(
                        "there is no scenario 'nightly' in scenarios. There are: backlog, burst, capacity, fan-out, quick, sizing, soak, steady");
        assertThatThrownBy(() -> ScenarioFile.load(folder.resolve("none"), "quick"))
                .hasMessage("there is no scenario 'quick' in " + folder.resolve("none") + ". There is none at all");
    }

    @Test
    void aNameThatNoResultCanBearIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("my bench.yaml"), LEAST);
        assertThatThrownBy(() -> ScenarioFile.load(folder, file.toString()))
                .hasMessage(file + ": the file's name is 'my bench'; it must be at most 60 letters, digits, - and _, as"
                        + " results are named after it");
    }

    @Test
    void whatIsNoYamlIsOneSentenceWithLineAndColumn() throws IOException {
        refused("description: x\n  load: y\n", ":2:7: this is no YAML: mapping values are not allowed here");
        refused("brokers: [one\n", ":2:1: this is no YAML: expected ',' or ']', but got <stream end>");
        refused(
                "load:\n\trate: 1\n",
                ":2:1: this is no YAML: found character '\\t(TAB)' that cannot start any token. (Do not use \\t(TAB)"
                        + " for indentation)");
        refused("a: \u0001\n", ":1:1: this is no YAML: special characters are not allowed");
        Path binary = Files.write(folder.resolve("mine.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThatThrownBy(() -> ScenarioFile.load(folder, "mine"))
                .isInstanceOf(UserException.class)
                .hasMessage(binary + ": this is no text in UTF-8");
    }

    @Test
    void whatYamlAllowsButNobodyMeansIsRefused() throws IOException {
        refused(LEAST + "pairs: 3\npairs: 4\n", ":6: pairs is there twice; leave one");
        refused(LEAST.replace("rate: 100", "rate: 100, rate: 200"), ":3: load.rate is there twice; leave one");
        refused(
                LEAST.replace("warmUp: 0s", "warmUp: &short 1s").replace("measure: 1s", "measure: *short"),
                ":4: phases.measure is an alias; write the value itself",
                ":4: phases.measure is 'short'; it must be a duration such as 300ms, 10s, 5m, 24h or 7d");
        refused(LEAST + "---\npairs: 3\n", ":6: a second document begins; a scenario is one");
        String keys =
                "description, brokers, floor, pairs, decides, load, topology, durability, budget, phases, search, backlog,"
                        + " trend, fanOut, burst, checks";
        refused("", ":1: the file is empty; it must be a block of keys: " + keys);
        refused("- a\n- b\n", ":1: the file is [a, b]; it must be a block of keys: " + keys);
    }

    @Test
    void anUnknownKeySuggestsTheNearestOfItsBlock() throws IOException {
        refused(LEAST + "pair: 3\n", ":5: unknown key 'pair'. Did you mean 'pairs'?");
        refused(
                LEAST.replace("rate: 100", "rate: 100, payloadByts: 3"),
                ":3: unknown key 'load.payloadByts'. Did you mean 'payloadBytes'?");
        refused(
                LEAST.replace("rate: 100", "rate: 100, out-of-order-share: 0.1"),
                ":3: unknown key 'load.out-of-order-share'. Did you mean 'outOfOrderShare'?");
        refused(
                LEAST.replace("rate: 100", "rate: 100, partitions: 3"),
                ":3: unknown key 'load.partitions'. It belongs below 'topology'");
        refused(
                LEAST.replace("measure: 1s", "measure: 1s, coolDown: 1s"),
                ":4: unknown key 'phases.coolDown'; known are warmUp, measure");
    }

    @Test
    void whatIsMissingIsNamedWithWhatWouldBeRight() throws IOException {
        refused(
                LEAST.replace("rate: 100", "").replace("measure: 1s", ""),
                ":3: load.rate is missing; it must be a whole number of readings per second, 1 to 1000000000;"
                        + " max is none, as runs are open loop",
                ":4: phases.measure is missing; it must be a duration such as 300ms, 10s, 5m, 24h or 7d");
        refused(
                LEAST.replaceFirst("description.*\n", "").replaceFirst("phases.*\n", ""),
                ":1: description is missing; it must be a sentence of at most 500 characters",
                ":1: phases is missing; it must be a block of keys: warmUp, measure");
    }

    @Test
    void aRateIsAWholeNumberBecauseRunsAreOpenLoop() throws IOException {
        for (Map.Entry<String, String> wrong : Map.of(
                        "max",
                        "'max'",
                        "0",
                        "'0'",
                        "-1",
                        "'-1'",
                        "1e400",
                        "'Infinity'",
                        "0.5",
                        "'0.5'",
                        "'5'",
                        "the text '5'")
                .entrySet()) {
            refused(
                    LEAST.replace("100", wrong.getKey()),
                    ":3: load.rate is " + wrong.getValue()
                            + "; it must be a whole number of readings per second, 1 to 1000000000; max is none, as runs are open loop");
        }
    }

    @Test
    void phasesHaveBounds() throws IOException {
        assertThat(load(LEAST.replace("0s", "1h").replace("1s", "24h")).measure())
                .isEqualTo(Duration.ofDays(1));
        refused(
                LEAST.replace("0s", "61m").replace("1s", "999ms"),
                ":4: phases.warmUp is '61m'; it must be from 0s to 1h",
                ":4: phases.measure is '999ms'; it must be from 1s to 24h");
        refused(LEAST.replace("1s", "25h"), ":4: phases.measure is '25h'; it must be from 1s to 24h");
    }

    @Test
    void theFloorIsNoneOfTheBrokersThatAreCompared() throws IOException {
        refused(
                LEAST + "brokers: [one, two]\nfloor: two\n",
                ":6: floor is 'two'; it must be none of brokers, as it runs beside them");
    }

    @Test
    void whatOptionsOfUpSayOfEachOtherIsPassedOn() throws IOException {
        refused(
                LEAST + "topology: {window: 1s, slide: 2s, partitions: 2, parallelism: 4}\n",
                ": as options of `millrace up`: 'slide' is '2s'; it must be at most the window; 'parallelism' is 4; it"
                        + " must be at most the number of partitions (2), or subtasks stand idle");
    }

    @Test
    void everyProblemIsReportedAtOnceInTheOrderOfLines() throws IOException {
        refused(
                """
                description: ''
                brokers: [one, Two, one]
                pairs: 0
                decides: cpuSeconds
                load:
                  rte: 100
                  devices: 1.5
                  payloadEntropy: 2
                topology:
                  window: 10
                  slide: 0s
                  retentionBytes: 1GB
                  replicas:
                durability: matchd
                phases:
                  warmUp: 10 s
                  measure: {value: 1s}
                checks: 3
                """,
                ":1: description is ''; it must be a sentence of at most 500 characters",
                ":2: brokers[1] is 'Two'; it must be a broker's name, of lower-case letters and digits",
                ":2: brokers is [one, Two, one]; it must be a list of brokers' names, each once",
                ":3: pairs is '0'; it must be a whole number from 1 to 100",
                ":4: decides is 'cpuSeconds'; it must be one of acceptedPerSecond, processedPerSecond, sendP50Millis,"
                        + " sendP99Millis, sendP999Millis, sendMaxMillis, rowsP50Millis, rowsP99Millis, rowsMaxMillis,"
                        + " brokerCpuSecondsPerMillion, jobCpuSecondsPerMillion, storeCpuSecondsPerMillion,"
                        + " generatorCpuSecondsPerMillion, cpuSecondsPerMillion, brokerMemoryMiB, memoryMiB,"
                        + " brokerCollectorMillisPerSecond, jobCollectorMillisPerSecond, brokerWrittenPerPayloadByte, lagMaxReadings, drainPerSecond, drainSeconds,"
                        + " fanOutDeliveredPerSecond, fanOutCpuSecondsPerMillion, fanOutCopiesCpuSecondsPerMillion,"
                        + " fanOutCopiesWrittenPerPayloadByte, burstEmptyMillis, burstRowsPerSecond, usedCoresMax,"
                        + " costPerBillion",
                ":5: load.rate is missing; it must be a whole number of readings per second, 1 to 1000000000;"
                        + " max is none, as runs are open loop",
                ":6: unknown key 'load.rte'. Did you mean 'rate'?",
                ":7: load.devices is '1.5'; it must be a whole number from 1 to 1000000",
                ":8: load.payloadEntropy is '2'; it must be a number from 0 to 1",
                ":10: topology.window is '10'; it must be a duration such as 300ms, 10s, 5m, 24h or 7d",
                ":12: topology.retentionBytes is '1GB'; it must be a size such as 64KiB, 512MiB or 1GiB",
                ":13: topology.replicas is empty; it must be a whole number from 1 to 32767",
                ":14: durability is 'matchd'; it must be one of vendor-default, matched. Did you mean 'matched'?",
                ":16: phases.warmUp is '10 s'; it must be a duration such as 300ms, 10s, 5m, 24h or 7d",
                ":17: phases.measure is a block of keys; it must be a duration such as 300ms, 10s, 5m, 24h or 7d",
                ":18: checks is '3'; it must be a block of keys: rateShare, stealShare, neighbourShare, latenessMillis",
                ": as options of `millrace up`: 'slide' is 0; it must be longer");
    }

    @Test
    void aBacklogIsStoredAtARateWithinABound() throws IOException {
        assertThat(load(LEAST + "backlog: {readings: 20000, rate: 5e3}\n").backlog())
                .contains(new Scenario.Backlog(20_000, 5000, Duration.ofMinutes(10)));
        assertThat(load(LEAST + "backlog: {readings: 20000, rate: 1, bound: 90s}\n")
                        .backlog()
                        .orElseThrow()
                        .bound())
                .isEqualTo(Duration.ofSeconds(90));
        refused(
                LEAST + "backlog: {readngs: 20000, rate: 1, bound: 9s}\n",
                ":5: unknown key 'backlog.readngs'. Did you mean 'readings'?",
                ":5: backlog.readings is missing; it must be a whole number from 10000 to 1000000000",
                ":5: backlog.bound is '9s'; it must be from 10s to 24h");
    }

    @Test
    void aBrokerMustKeepTheWholeBacklog() throws IOException {
        String backlog = "backlog: {readings: 1000000, rate: 1}\ntopology: {retentionBytes: SIZE}\n";
        assertThat(load(LEAST + backlog.replace("SIZE", "573MiB")).backlog()).isPresent();
        // 512 MiB / 2 / 300 bytes = 894,784.9
        refused(
                LEAST + backlog.replace("SIZE", "512MiB"),
                ":5: backlog.readings is '1000000'; it must be at most 894784 with payloads of 300 bytes: half of"
                        + " topology.retentionBytes, so that the broker still has all of them");
    }

    @Test
    void aTrendHasBoundsOnlyWhereTheFileSetsThem() throws IOException {
        double none = Double.POSITIVE_INFINITY;
        assertThat(load(LEAST + "trend: {}\n").trend())
                .contains(new Scenario.Trend(0.95, Duration.ofMinutes(1), none, none, none));
        assertThat(load(LEAST
                                + "trend: {confidence: 0.99, block: 5s, memoryGrowthPerHour: 1GiB, lagGrowthPerHour: 0,"
                                + " sendP99MillisGrowthPerHour: 2.5}\n")
                        .trend())
                .contains(new Scenario.Trend(0.99, Duration.ofSeconds(5), 1024, 0, 2.5));
        assertThat(load(LEAST).trend()).isEmpty();
        refused(
                LEAST + "trend: {confidnce: 1, block: 2h, memoryGrowthPerHour: 5}\n",
                ":5: trend.memoryGrowthPerHour is '5'; it must be a size such as 64KiB, 512MiB or 1GiB",
                ":5: unknown key 'trend.confidnce'. Did you mean 'confidence'?",
                ":5: trend.block is '2h'; it must be from 1s to 1h");
    }

    private Scenario load(String text) throws IOException {
        Files.writeString(folder.resolve("mine.yaml"), text);
        return ScenarioFile.load(folder, "mine");
    }

    /** Each problem is what follows the file's path in its line. */
    private void refused(String text, String... problems) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.yaml"), text);
        String message = String.join(
                "\n", List.of(problems).stream().map(problem -> file + problem).toList());
        assertThatThrownBy(() -> ScenarioFile.load(folder, "mine"))
                .isInstanceOf(UserException.class)
                .hasMessage(message);
    }
}
