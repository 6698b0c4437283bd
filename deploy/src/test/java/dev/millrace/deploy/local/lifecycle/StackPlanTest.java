package dev.millrace.deploy.local.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Build;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What lies between the stack that is there and the one that is asked for")
class StackPlanTest {
    private static final Set<Capability> ALL = EnumSet.allOf(Capability.class);

    @TempDir
    Path folder;

    @Test
    @DisplayName("the same settings and the same job jar are nothing to do")
    void nothing() {
        StackPlan plan = plan(Map.of(), Map.of(), false);
        assertThat(plan.isEmpty()).isTrue();
        assertThat(plan.lines()).isEmpty();
        plan.check(Set.of());
    }

    @Test
    @DisplayName("another rate concerns the generator, another parallelism or job jar the job, and each line says so")
    void reach() {
        StackPlan rate = plan(Map.of("rate", "5"), Map.of("rate", "6"), false);
        assertThat(rate.touchesJob()).isFalse();
        assertThat(rate.lines()).containsExactly("rate: 5 -> 6 (the generator starts again)");
        StackPlan scaled = plan(Map.of(), Map.of("parallelism", "4"), false);
        assertThat(scaled.touchesJob()).isTrue();
        scaled.check(ALL);
        StackFile here = file(Map.of(), "a".repeat(64));
        StackPlan upgrade = StackPlan.of(here, here.settings(), new Build("b".repeat(64), "p"), false);
        assertThat(upgrade.touchesJob()).isTrue();
        assertThat(upgrade.lines())
                .containsExactly("job jar: aaaaaaaaaaaa -> bbbbbbbbbbbb (the job resumes from a savepoint)");
        StackPlan plugin = StackPlan.of(here, here.settings(), new Build("a".repeat(64), "q"), false);
        assertThat(plugin.touchesJob()).isTrue();
        assertThat(plugin.lines())
                .containsExactly("plugin: p -> q (the job resumes from a savepoint, and the generator starts again)");
    }

    @Test
    @DisplayName("what readings, ledger or topic were made with is refused, and the way is said")
    void boundToReadings() {
        for (String key : new String[] {"devices", "seed", "payload-bytes", "retention-bytes"}) {
            String another = key.equals("retention-bytes") ? "2GiB" : "777";
            assertRefused(plan(Map.of(), Map.of(key, another), false), ALL)
                    .hasMessageContaining(key + ": ")
                    .hasMessageContaining("millrace down --broker x, then the same up");
        }
        assertRefused(plan(Map.of("rate", "5"), Map.of("rate", "max"), false), ALL)
                .hasMessageContaining("rate: 5 -> max");
        // Rows would have to move; not even with the state dropped.
        assertRefused(plan(Map.of(), Map.of("store", "clickhouse", "store-url", "http://h:8123"), true), ALL)
                .hasMessageContaining("store: duckdb -> clickhouse: readings that are sent");
    }

    @Test
    @DisplayName(
            "another window is refused with the reason, and taken with --drop-state, which raises the state's number")
    void window() {
        assertRefused(plan(Map.of(), Map.of("window", "2s"), false), ALL)
                .hasMessageContaining("window: 10s -> 2s: open windows and stored rows were made with it")
                .hasMessageContaining("--drop-state");
        StackPlan dropping = plan(Map.of(), Map.of("window", "2s"), true);
        dropping.check(ALL);
        assertThat(dropping.there().stateNumber()).isEqualTo(2);
        assertThat(dropping.dropsState()).isTrue();
        assertThat(plan(Map.of(), Map.of("rate", "5"), true).dropsState())
                .as("nothing asks for it")
                .isFalse();
    }

    @Test
    @DisplayName("partitions are raised where the broker can, and never lowered")
    void partitions() {
        StackPlan raised = plan(Map.of(), Map.of("partitions", "8"), false);
        raised.check(ALL);
        assertRefused(raised, Set.of(Capability.SURVIVES_KILL))
                .hasMessageContaining("partitions: 4 -> 8: this broker cannot add partitions");
        assertRefused(plan(Map.of("partitions", "8"), Map.of("partitions", "4"), false), ALL)
                .hasMessageContaining("partitions hold readings and cannot be taken away");
    }

    @Test
    @DisplayName("a broker that keeps readings in its process only is not started again for a setting")
    void brokerWithoutMemoryOfItsOwn() {
        StackPlan plan = plan(Map.of(), Map.of("broker-memory", "1GiB"), false);
        plan.check(ALL);
        assertRefused(plan, Set.of(Capability.ADDS_PARTITIONS)).hasMessageContaining("would lose them");
    }

    @Test
    @DisplayName("a bounded run is not changed")
    void bounded() {
        assertRefused(plan(Map.of("readings", "9"), Map.of("parallelism", "1"), false), ALL)
                .hasMessageContaining("a bounded run (readings: 9) is not changed");
    }

    @Test
    @DisplayName("every problem is in one message")
    void allAtOnce() {
        assertRefused(plan(Map.of(), Map.of("devices", "7", "window", "2s"), false), ALL)
                .hasMessageContaining("devices: 1000 -> 7")
                .hasMessageContaining("window: 10s -> 2s");
    }

    @Test
    @DisplayName("the stack's file is read back as it was written, also one of an older version")
    void fileReadBack() {
        StackFile file = new StackFile(file(Map.of("rate", "7"), "").settings(), new Build("abc", "def"), 3);
        file.write(folder.resolve("stack.properties"));
        assertThat(StackFile.read(folder.resolve("stack.properties")))
                .hasValueSatisfying(read -> assertThat(read.isSame(file)).isTrue());
        PropertiesFile.write(folder.resolve("old.properties"), Map.of("broker", "x"));
        assertThat(StackFile.read(folder.resolve("old.properties")))
                .hasValueSatisfying(read -> assertThat(read.stateNumber()).isEqualTo(1));
    }

    @Test
    @DisplayName("going back keeps partitions that are there, and drops what was stored after state was dropped")
    void goingBack() {
        StackFile here = file(Map.of(), "a");
        StackPlan plan = StackPlan.of(
                here, bind(Map.of("partitions", "8", "window", "2s")).over(here.settings()), new Build("b", "p"), true);
        StackFile back = here.after(plan.there(), 8);
        assertThat(back.settings().partitions()).isEqualTo(8);
        assertThat(back.settings().text("window")).isEqualTo("10s");
        assertThat(back.build().jobJar()).isEqualTo("a");
        assertThat(back.stateNumber()).isEqualTo(3);
    }

    private static org.assertj.core.api.AbstractThrowableAssert<?, ?> assertRefused(
            StackPlan plan, Set<Capability> broker) {
        return assertThatThrownBy(() -> plan.check(broker)).isInstanceOf(UserException.class);
    }

    private static StackPlan plan(Map<String, String> there, Map<String, String> asked, boolean dropState) {
        StackFile here = file(there, "a");
        return StackPlan.of(here, bind(asked).over(here.settings()), new Build("a", "p"), dropState);
    }

    private static StackFile file(Map<String, String> settings, String sha256) {
        return new StackFile(bind(settings), new Build(sha256, "p"), 1);
    }

    private static StackSettings bind(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("broker", "x");
        return StackSettings.bind("test", Options.of(all));
    }
}
