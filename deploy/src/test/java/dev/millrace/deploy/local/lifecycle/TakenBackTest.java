package dev.millrace.deploy.local.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Build;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Partitions of a stack of 4 that is taken back")
class TakenBackTest {
    private static final List<Options> WAYS =
            List.of(Options.of(Map.of("address", "new")), Options.of(Map.of("address", "old")));

    private final List<String> asked = new ArrayList<>();

    @Test
    @DisplayName("are 4 when the broker has not added any, and 8 when it has")
    void whatTheTopicHas() {
        assertThat(partitions("8", way -> 4)).isEqualTo(4);
        assertThat(partitions("8", way -> 8)).isEqualTo(8);
        assertThat(partitions("8", way -> 0)).as("no topic").isEqualTo(4);
        assertThat(asked).containsExactly("new", "new", "new");
    }

    @Test
    @DisplayName("are told by whichever way to the broker is one; where none is, they may be there")
    void cannotBeAsked() {
        assertThat(partitions("8", way -> {
                    if (way.equals("new")) {
                        throw new EnvironmentException("away");
                    }
                    return 4;
                }))
                .isEqualTo(4);
        assertThat(partitions("8", way -> {
                    throw new EnvironmentException("away");
                }))
                .isEqualTo(8);
    }

    @Test
    @DisplayName("are not asked for where no more were wanted")
    void notAsked() {
        assertThat(partitions("4", way -> 9)).isEqualTo(4);
        assertThat(asked).isEmpty();
    }

    private int partitions(String wanted, Function<String, Integer> onTopic) {
        StackFile here = file("4");
        StackFile there = file(wanted);
        StackPlan plan = StackPlan.of(here, there.settings(), there.build(), false);
        return TakenBack.of(
                        plan,
                        way -> {
                            asked.add(way.get("address").orElseThrow());
                            return client(onTopic.apply(way.get("address").orElseThrow()));
                        },
                        WAYS)
                .settings()
                .partitions();
    }

    /** One that knows how many partitions there are, and nothing else. */
    private static BrokerClient client(int partitions) {
        return (BrokerClient) Proxy.newProxyInstance(
                TakenBackTest.class.getClassLoader(),
                new Class<?>[] {BrokerClient.class},
                (self, method, arguments) -> Optional.of(method.getName())
                        .filter("partitions"::equals)
                        .map(name -> partitions)
                        .orElse(null));
    }

    private static StackFile file(String partitions) {
        return new StackFile(
                StackSettings.bind("test", Options.of(Map.of("broker", "x", "partitions", partitions))),
                new Build("a", "b"),
                1);
    }
}
