package dev.millrace.perf.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.scenario.ScenarioFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackRunTest {
    @TempDir
    Path base;

    private StackRun run(String name, Map<String, String> options) {
        Installation here = Installation.here();
        Scenario scenario = ScenarioFile.load(here.root().resolve("perf/scenarios"), name);
        return new StackRun(here, base, scenario, options, base, new Interruption(), line -> {});
    }

    private StackSettings settings(Map<String, String> options) {
        return settings("quick", options);
    }

    private StackSettings settings(String name, Map<String, String> options) {
        return run(name, options).settings("north", false);
    }

    @Test
    void everyBrokerIsBoundedAsTheScenarioHasItOrThePersonSays() {
        assertThat(settings(Map.of()).text("broker-memory")).isEqualTo("1536MiB");
        assertThat(settings(Map.of("broker-memory", "1GiB")).text("broker-memory"))
                .isEqualTo("1GiB");
    }

    @Test
    void theFloorHasNoneOfTheOptionsOfBrokersThatAreCompared() {
        StackRun run = run("quick", Map.of("broker.tuning", "latency", "store.memory", "2GiB", "devices", "7"));
        assertThat(run.settings("north", false).brokerOptions().asMap()).containsOnly(Map.entry("tuning", "latency"));
        StackSettings floor = run.settings("north", true);
        assertThat(floor.brokerOptions().asMap()).isEmpty();
        assertThat(floor.storeOptions().asMap()).containsOnly(Map.entry("memory", "2GiB"));
        assertThat(floor.devices()).isEqualTo(7);
        assertThat(floor.text("broker-memory")).isEqualTo("1536MiB");
    }

    @Test
    void timeThatIsFasterThanTheClockIsRefusedWhereRowsAreHeldAgainstIt() {
        assertThat(settings(Map.of("acceleration", "20")).text("acceleration")).isEqualTo("20");
        assertThatThrownBy(() -> settings("capacity", Map.of("acceleration", "20")))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("acceleration and the search of scenario 'capacity' exclude each other");
        Map<String, String> moves = Map.of("shape", "ramp", "shape-rate", "7");
        assertThat(settings(moves).isSteady()).isFalse();
        assertThatThrownBy(() -> settings("burst", Map.of("acceleration", "1", "shape", "ramp", "shape-rate", "7")))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("shape and the burst of scenario 'burst' exclude each other");
    }

    @Test
    void aLoadThatIsAsFastAsTheBrokerTakesItIsRefused() {
        for (String scenario : List.of("quick", "fan-out", "capacity")) {
            assertThatThrownBy(() -> settings(scenario, Map.of("rate", "max")))
                    .isInstanceOf(UserException.class)
                    .hasMessageStartingWith("rate is 'max', but readings of a scenario are due at times of their own")
                    .hasMessageContaining("name a number of readings per second");
        }
    }

    @Test
    void aPersonsOwnServerIsBoundedByItsOwner() {
        assertThat(settings(Map.of("address", "127.0.0.1:9")).text("broker-memory"))
                .isEmpty();
    }
}
