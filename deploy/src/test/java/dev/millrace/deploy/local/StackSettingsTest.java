package dev.millrace.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackSettingsTest {

    @Test
    void defaultsAreThoseOfTheReadme() {
        StackSettings settings = bind(Map.of("broker", "x"));
        assertThat(settings.rateReadingsPerSecond()).isEqualTo(10_000);
        assertThat(settings.devices()).isEqualTo(1000);
        assertThat(settings.window()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.text("slide")).isEqualTo("10s");
        assertThat(settings.partitions()).isEqualTo(4);
        assertThat(settings.parallelism()).isEqualTo(2);
        assertThat(settings.retentionBytes()).isEqualTo(1L << 30);
        assertThat(settings.retention()).isEqualTo(Duration.ofHours(24));
        assertThat(settings.isBounded()).isFalse();
        assertThat(settings.readingsToSend()).isZero();
    }

    @Test
    void everyProblemIsInOneMessage() {
        assertThatThrownBy(() -> bind(Map.of("rate", "abc", "devices", "-1", "window", "ten", "rte", "5")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'rate' is 'abc'")
                .hasMessageContaining("'devices' is '-1'")
                .hasMessageContaining("'window' is 'ten'")
                .hasMessageContaining("unknown key 'rte'. Did you mean 'rate'?");
    }

    @Test
    void aRateThatMovesNeedsWhereTo() {
        StackSettings ramp = bind(
                Map.of("rate", "100", "shape", "ramp", "shape-rate", "300", "shape-period", "10s", "duration", "20s"));
        assertThat(ramp.isSteady()).isFalse();
        // 100, 120, ... 280 in the first ten seconds, then 300.
        assertThat(ramp.readingsToSend()).isEqualTo(1900 + 3000);
        assertThat(bind(Map.of()).isSteady()).isTrue();
        assertThatThrownBy(
                        () -> bind(Map.of("shape", "sine", "rate", "max", "acceleration", "2", "shape-period", "1ms")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'shape' needs the other rate; name 'shape-rate'")
                .hasMessageContaining("'shape' needs a rate that is a number")
                .hasMessageContaining("'shape' and 'acceleration' exclude each other")
                .hasMessageContaining("'shape-period' is '1ms'; it must be whole seconds, at least 1s");
        assertThatThrownBy(() -> bind(Map.of("shape-rate", "5")))
                .hasMessageContaining("'shape-rate' is of a 'shape' that is not constant");
        assertThatThrownBy(() -> bind(Map.of("shape", "burst", "shape-rate", "5", "readings", "10")))
                .hasMessageContaining("'shape' and 'readings' exclude each other");
        assertThatThrownBy(() -> bind(Map.of("shape", "sine", "shape-rate", "5", "start", "1700000000000")))
                .hasMessageContaining("'shape' and 'start' exclude each other");
    }

    @Test
    void aRateIsAWholeNumberOrMax() {
        assertThat(bind(Map.of("rate", "7")).rateReadingsPerSecond()).isEqualTo(7);
        assertThat(bind(Map.of("rate", "max")).rateIsMax()).isTrue();
        for (String wrong : List.of("0", "0.5", "-5", "NaN", "", "fast", "Infinity", "1000000001")) {
            assertThatThrownBy(() -> bind(Map.of("rate", wrong)))
                    .as(wrong)
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("'rate' is '" + wrong + "'");
        }
    }

    @Test
    void aDurationBecomesANumberOfReadings() {
        assertThat(bind(Map.of("rate", "200", "duration", "30s")).readingsToSend())
                .isEqualTo(6000);
        assertThat(bind(Map.of("rate", "200", "duration", "30s")).isBounded()).isFalse();
    }

    @Test
    void whatExcludesEachOtherIsRefused() {
        assertThatThrownBy(() -> bind(Map.of("duration", "1m", "readings", "5")))
                .hasMessageContaining("exclude each other");
        assertThatThrownBy(() -> bind(Map.of("duration", "1m", "rate", "max"))).hasMessageContaining("needs a rate");
        assertThatThrownBy(() -> bind(Map.of("slide", "20s"))).hasMessageContaining("at most the window");
        assertThatThrownBy(() -> bind(Map.of("parallelism", "8"))).hasMessageContaining("number of partitions");
    }

    @Test
    void whatMustFitAnotherSettingIsHeldAgainstTheStackThatIsThere() {
        StackSettings here = bind(Map.of(
                "broker",
                "x",
                "partitions",
                "16",
                "shape",
                "sine",
                "shape-rate",
                "5",
                "results",
                "topic",
                "rate",
                "10"));
        for (Map<String, String> asked : List.of(
                Map.of("parallelism", "8"),
                Map.of("shape-rate", "7"),
                Map.of("results-send-limit", "30s"),
                Map.of("duration", "2h", "rate", "100"))) {
            StackSettings named = StackSettings.named("up", Options.of(asked));
            asked.forEach((key, value) -> assertThat(named.over(here).text(key)).isEqualTo(value));
            if (!asked.containsKey("duration")) {
                assertThatThrownBy(named::whole).isInstanceOf(UserException.class);
            }
        }
        assertThatThrownBy(() -> StackSettings.named("up", Options.of(Map.of("parallelism", "17")))
                        .over(here))
                .hasMessageContaining("number of partitions (16)");
        assertThatThrownBy(() -> StackSettings.named("up", Options.of(Map.of("parallelism", "eight", "rte", "5"))))
                .hasMessageContaining("'parallelism' is 'eight'")
                .hasMessageContaining("unknown key 'rte'");
    }

    @Test
    void whereNoStackIsTheDefaultsAreWhatMustBeFitted(@TempDir Path base) throws IOException {
        Options asked = Options.of(Map.of("broker", "x", "parallelism", "8", "rate", "fast"));
        RunDirectory directory = RunDirectory.of(base, "x");
        assertThatThrownBy(() -> StackSettings.named("up", asked, directory))
                .hasMessageContaining("'rate' is 'fast'")
                .hasMessageContaining("number of partitions (4)");
        Files.createDirectories(directory.path());
        Files.writeString(directory.stackFile(), "broker=x\npartitions=16\n");
        assertThat(StackSettings.named("up", asked.with("rate", "7"), directory)
                        .over(bind(Map.of("broker", "x", "partitions", "16")))
                        .parallelism())
                .isEqualTo(8);
    }

    @Test
    void aBoundedRunFitsIntoWhatTheBrokerKeeps() {
        Map<String, String> asked = Map.of("readings", "20000000", "payload-bytes", "300");
        assertThatThrownBy(() -> bind(asked))
                .hasMessageContaining(
                        "'retention-bytes' is 1.0 GiB; it must be at least 6295MiB for 20000000 readings");
        Map<String, String> enough = new TreeMap<>(asked);
        enough.put("retention-bytes", "6295MiB");
        assertThat(bind(enough).boundedReadings()).isEqualTo(20_000_000);
        // A run that only ends at some time is read while it is sent.
        assertThat(bind(Map.of("duration", "1h", "rate", "10000")).readingsToSend())
                .isEqualTo(36_000_000);
    }

    @Test
    void whatIsForTheBrokerAndTheStoreIsPassedOnWithoutItsPrefix() {
        StackSettings settings = bind(Map.of("broker.compression", "none", "store.memory", "512MiB"));
        assertThat(settings.brokerOptions()).isEqualTo(Options.of(Map.of("compression", "none")));
        assertThat(settings.storeOptions()).isEqualTo(Options.of(Map.of("memory", "512MiB")));
        assertThat(settings.store()).isEqualTo("duckdb");
    }

    @Test
    void aBrokerOfOnesOwnHasNoServerSettingsAndItsOwnReplicas() {
        StackSettings own = bind(Map.of("address", "a:1", "topic-prefix", "team-", "broker.client.x", "y"));
        assertThat(own.isForeignBroker()).isTrue();
        assertThat(own.topic()).isEqualTo("team-readings");
        assertThat(own.resultsTopic()).isEqualTo("team-windows");
        assertThat(own.readerGroup()).isEqualTo("team-millrace");
        assertThat(own.replicas()).isZero();
        assertThat(own.foreignBrokerOptions()).isEqualTo(Options.of(Map.of("address", "a:1", "client.x", "y")));
        assertThat(bind(Map.of()).replicas()).isEqualTo(1);
        assertThat(bind(Map.of("address", "a:1", "replicas", "3")).replicas()).isEqualTo(3);
        assertThatThrownBy(() -> bind(Map.of("address", "a:1", "broker-port", "9092")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'address' and 'broker-port' exclude each other");
        assertThatThrownBy(() -> bind(Map.of("broker.address", "a:1"))).hasMessageContaining("is said by 'address'");
        assertThatThrownBy(() -> bind(Map.of("topic-prefix", "a b"))).hasMessageContaining("'topic-prefix' is 'a b'");
    }

    @Test
    void aStoreOfOnesOwnIsNamedAndSaysWhereItIs() {
        assertThatThrownBy(() -> bind(Map.of("store", "clickhouse", "window", "0s")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("store 'clickhouse' is none that Millrace starts")
                .hasMessageContaining("'window' is 0");
        assertThatThrownBy(() -> bind(Map.of("store-url", "http://h:8123")))
                .hasMessageContaining("store 'duckdb' lives with its stack and has no 'store-url'");
        assertThatThrownBy(() -> bind(Map.of("store", "click"))).hasMessageContaining("click");
        // One of a pair, for a stack that is there: what it has of the other is not known yet.
        assertThat(StackSettings.named("up", Options.of(Map.of("store-url", "http://h:8123")))
                        .isForeignStore())
                .isTrue();
    }

    @Test
    void whatIsPassedOnIsNeverShownInADifference() {
        StackSettings here = bind(Map.of("broker.client.password", "first"));
        StackSettings there = bind(Map.of("broker.client.password", "second"));
        assertThat(here.differences(there))
                .extracting(StackSettings.Difference::toString)
                .containsExactly("broker.client.password: another value");
    }

    @Test
    void effectiveSettingsReadBackAreTheSame() {
        StackSettings settings = bind(Map.of("broker", "x", "rate", "7", "broker.a", "b"));
        assertThat(StackSettings.bind("file", settings.values()).differences(settings))
                .isEmpty();
    }

    @Test
    void differencesNameBothValuesAndHowFarTheyReach() {
        StackSettings here = bind(Map.of("rate", "100", "start", "5"));
        StackSettings there = bind(Map.of("rate", "200", "devices", "7"));
        assertThat(here.differences(there))
                .extracting(StackSettings.Difference::toString)
                .containsExactly("devices: 1000 -> 7", "rate: 100 -> 200", "start: 5 -> (not set)");
        assertThat(here.differences(there))
                .extracting(StackSettings.Difference::reach)
                .containsExactly(Reach.READINGS, Reach.GENERATOR, Reach.READINGS);
    }

    @Test
    void whatNobodyNamedStaysAsItIs() {
        StackSettings here = bind(Map.of("broker", "x", "rate", "100", "devices", "7", "window", "2s"));
        assertThat(bind(Map.of("broker", "x", "parallelism", "3")).over(here).differences(here))
                .extracting(StackSettings.Difference::key)
                .containsExactly("parallelism");
        // A tumbling window stays tumbling.
        assertThat(bind(Map.of("window", "1s")).over(here).text("slide")).isEqualTo("1s");
        // A rate that no longer moves has no other one.
        StackSettings moves = bind(Map.of("shape", "sine", "shape-rate", "9"));
        assertThat(bind(Map.of("shape", "constant")).over(moves).isSteady()).isTrue();
        assertThat(bind(Map.of("rate", "5")).over(moves).isSteady()).isFalse();
    }

    @Test
    void theTaskManagersMemoryFollowsTheParallelismUnlessItIsNamed() {
        assertThat(bind(Map.of()).taskManagerMemoryBytes()).isEqualTo(1280L << 20);
        assertThat(bind(Map.of("parallelism", "4")).taskManagerMemoryBytes()).isEqualTo(1536L << 20);
        assertThat(bind(Map.of("parallelism", "4", "taskmanager-memory", "2GiB"))
                        .taskManagerMemoryBytes())
                .isEqualTo(2L << 30);
        assertThat(bind(Map.of("state-backend", "rocksdb")).taskManagerMemoryBytes())
                .isEqualTo(1280L << 20);
        assertThat(bind(Map.of("state-backend", "rocksdb", "state-memory", "1GiB"))
                        .taskManagerMemoryBytes())
                .isEqualTo((1280L + 768) << 20);
        assertThat(bind(Map.of("state-memory", "1GiB")).taskManagerMemoryBytes())
                .isEqualTo(1280L << 20);
    }

    @Test
    void whatTheSecondJobCannotHaveIsSaidAtOnce() {
        assertThatThrownBy(() -> bind(Map.of(
                        "job", "latest-times",
                        "results", "topic",
                        "state-backend", "rocksdb",
                        "state-memory", "20MiB",
                        "taskmanager-memory", "1GiB")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'results' is 'topic', which is for the job 'windows'")
                .hasMessageContaining("'state-memory' is too small for parallelism 2; at least 32.0 MiB");
        assertThatThrownBy(() ->
                        bind(Map.of("state-backend", "rocksdb", "state-memory", "1GiB", "taskmanager-memory", "1GiB")))
                .hasMessageContaining(
                        "'taskmanager-memory' is too small for parallelism 2 and the state memory of 1.0 GiB");
        assertThatThrownBy(() -> bind(Map.of("job", "latest"))).hasMessageContaining("one of windows, latest-times");
    }

    @Test
    void theLimitOfASendIsOfTheResultTopicAndNotTooShort() {
        assertThat(bind(Map.of("results", "topic", "results-send-limit", "30s")).text("results-send-limit"))
                .isEqualTo("30s");
        assertThatThrownBy(() -> bind(Map.of("results-send-limit", "500ms")))
                .hasMessageContaining("'results-send-limit' is too short; at least 1s, or 0s for none")
                .hasMessageContaining(
                        "'results-send-limit' is of the result topic; name results=topic, or 0s for none");
        assertThat(bind(Map.of("results-send-limit", "0s")).resultsToTopic()).isFalse();
    }

    @Test
    void aStackWithALimitOfASendCanGoBackToTheStoreAndToTheSecondJob() {
        StackSettings here = bind(Map.of("broker", "x", "results", "topic", "results-send-limit", "30s"));
        for (Map<String, String> asked :
                List.of(Map.of("results", "store"), Map.of("results", "store", "job", "latest-times"))) {
            assertThat(over(here, asked).values().get("results-send-limit")).isEmpty();
        }
        assertThat(over(here, Map.of("rate", "7")).text("results-send-limit")).isEqualTo("30s");
        assertThat(over(here, Map.of("results", "topic")).text("results-send-limit"))
                .isEqualTo("30s");
        assertThat(over(here, Map.of("results-send-limit", "0s")).text("results-send-limit"))
                .isEqualTo("0s");
        assertThatThrownBy(() -> over(here, Map.of("job", "latest-times")))
                .hasMessageContaining("'results' is 'topic', which is for the job 'windows'; name results=store");
        assertThatThrownBy(() -> over(here, Map.of("results", "store", "results-send-limit", "5s")))
                .hasMessageContaining(
                        "'results-send-limit' is of the result topic; name results=topic, or 0s for none");
    }

    private static StackSettings over(StackSettings here, Map<String, String> asked) {
        return StackSettings.named("up", Options.of(asked)).over(here);
    }

    @Test
    void whoHasNotAllDevicesOfATopicHasOtherGeneratorsBeside() {
        assertThat(bind(Map.of("broker", "x", "devices", "10")).hasOtherGenerators())
                .isFalse();
        assertThat(bind(Map.of("broker", "x", "devices", "10", "all-devices", "10"))
                        .hasOtherGenerators())
                .isFalse();
        assertThat(bind(Map.of("broker", "x", "devices", "10", "all-devices", "20"))
                        .hasOtherGenerators())
                .isTrue();
        assertThat(bind(Map.of("broker", "x", "devices", "10", "first-device", "10"))
                        .hasOtherGenerators())
                .isTrue();
    }

    private static StackSettings bind(Map<String, String> values) {
        return StackSettings.bind("up", Options.of(values));
    }
}
