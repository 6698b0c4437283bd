package dev.millrace.perf.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.scenario.ScenarioFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
