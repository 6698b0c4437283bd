package dev.millrace.perf.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalGroundTest {
    @TempDir
    Path base;

    private LocalGround ground(Map<String, String> options) {
        Installation here = Installation.here();
        Scenario scenario = ScenarioFile.load(here.root().resolve("perf/scenarios"), "quick");
        return new LocalGround(here, scenario, options, base);
    }

    @Test
    @DisplayName("of a broker of one's own it says what is not looked at, gives no verdict and has no floor there")
    void ownBroker() {
        LocalGround ground = ground(Map.of("address", "127.0.0.1:9"));
        assertThat(ground.caveats())
                .singleElement()
                .asString()
                .startsWith("The broker is one of your own: no budget bounds it")
                .doesNotContain("One machine");
        assertThat(ground.withheld()).isEqualTo("the broker is one of your own, which no budget bounds");
        assertThat(ground.memory()).isEqualTo("4096MiB, without the broker");
        assertThat(ground.has(ground.scenario().floor())).isFalse();
        assertThat(ground.has("north")).isTrue();
    }

    @Test
    @Tag("server")
    @DisplayName(
            "options that broker or store do not know are refused before anything runs; a broker's are not the floor's")
    void wrongOptions() {
        Map<String, String> ofBroker = Map.of("broker.nonsense", "1");
        String floor = ground(ofBroker).scenario().floor();
        assertThatThrownBy(() -> ground(ofBroker).check(List.of(floor), ""))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'nonsense'");
        assertThatCode(() -> ground(ofBroker).check(List.of(), floor)).doesNotThrowAnyException();
        for (List<String> brokers : List.of(List.of(floor), List.<String>of())) {
            assertThatThrownBy(() -> ground(Map.of("store.foo", "1")).check(brokers, floor))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("'foo'");
        }
        assertThatThrownBy(() -> ground(Map.of(
                                "store", "clickhouse",
                                "store-url", "http://127.0.0.1:9",
                                "store-database", "iot",
                                "store.foo", "1"))
                        .check(List.of(floor), ""))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'foo'");
    }

    @Test
    @Tag("server")
    @DisplayName("a floor keeps what it has room for, with what the scenario makes beside; who is compared is told")
    void roomOfTheFloor() {
        Map<String, String> results = Map.of("results", "topic");
        String floor = ground(results).scenario().floor();
        assertThatCode(() -> ground(results).check(List.of(), floor)).doesNotThrowAnyException();
        assertThatThrownBy(() -> ground(results).check(List.of(floor), ""))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("--retention-bytes 512MiB");
        Installation here = Installation.here();
        Scenario fanOut = ScenarioFile.load(here.root().resolve("perf/scenarios"), "fan-out");
        LocalGround ground = new LocalGround(here, fanOut, Map.of("retention-bytes", "512MiB"), base);
        assertThatThrownBy(() -> ground.check(List.of(floor), ""))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'readings' and 3 more that are made beside are to keep");
        assertThatCode(() -> ground.check(List.of(), floor)).doesNotThrowAnyException();
    }

    @Test
    @Tag("server")
    @DisplayName("a broker that keeps readings in memory has room for every scenario as it is shipped")
    void roomForWhatIsShipped() throws IOException {
        Installation here = Installation.here();
        Path scenarios = here.root().resolve("perf/scenarios");
        String floor = ground(Map.of()).scenario().floor();
        List<String> names;
        try (Stream<Path> files = Files.list(scenarios)) {
            names = files.map(file -> file.getFileName().toString().replace(".yaml", ""))
                    .toList();
        }
        assertThat(names).hasSizeGreaterThan(5);
        for (String name : names) {
            LocalGround ground = new LocalGround(here, ScenarioFile.load(scenarios, name), Map.of(), base);
            assertThatCode(() -> ground.check(List.of(floor), floor)).as(name).doesNotThrowAnyException();
        }
    }

    @Test
    @Tag("server")
    @DisplayName("a ClickHouse of one's own needs no name of a database: up makes one")
    void noDatabaseNamed() {
        LocalGround ground = ground(Map.of("store", "clickhouse", "store-url", "http://127.0.0.1:9"));
        assertThatCode(() -> ground.check(List.of(ground.scenario().floor()), ""))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("a broker that is started here is on one machine with all else, and so is the floor")
    void startedHere() {
        LocalGround ground = ground(Map.of());
        assertThat(ground.caveats())
                .containsExactly(
                        "One machine, replication 1: compares these settings here, not the brokers in production.");
        assertThat(ground.withheld()).isEmpty();
        assertThat(ground.memory()).isEqualTo("4096MiB");
        assertThat(ground.has(ground.scenario().floor())).isTrue();
    }
}
