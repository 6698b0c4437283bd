package dev.millrace.perf.run.exercise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.part.ForeignTopics;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a fan-out leaves on a broker that outlives its run: nothing. */
class FanOutMadeTest {
    private static final StackSettings OWN = StackSettings.bind(
            "test", Options.of(Map.of("broker", "north", "address", "127.0.0.1:9", "topic-prefix", "team-")));

    @TempDir
    Path base;

    private final Set<String> topics = new TreeSet<>();
    private final List<String> forgotten = new ArrayList<>();
    private RunDirectory directory;

    @BeforeEach
    void stack() throws Exception {
        directory = RunDirectory.of(base, "north");
        Files.createDirectories(directory.path());
    }

    private BrokerClient client() {
        return (BrokerClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {BrokerClient.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "partitions":
                            return topics.contains(arguments[0]) ? 4 : 0;
                        case "createTopic":
                            topics.add(((TopicSpec) arguments[0]).name());
                            return null;
                        case "deleteTopic":
                            topics.remove(arguments[0]);
                            return null;
                        case "deleteReaderGroup":
                            forgotten.add(arguments[0] + " " + arguments[1]);
                            return null;
                        default:
                            throw new AssertionError(method);
                    }
                });
    }

    @Test
    void namesBeginAsTheStacksOwn() {
        FanOutMade made = new FanOutMade(directory, OWN);
        assertThat(made.copy(2)).isEqualTo("team-readings-copy-2");
        assertThat(made.group("team-readings", "groups-0")).isEqualTo("team-millrace-fan-out-groups-0");
    }

    @Test
    void copiesGoWithTheStacksTopicsWhereNobodyRemovedThem() {
        FanOutMade made = new FanOutMade(directory, OWN);
        made.make(client(), made.copy(0));
        assertThat(topics).containsExactly("team-readings-copy-0");
        assertThat(new ForeignTopics(directory, OWN).names()).containsExactly("team-readings-copy-0");
    }

    @Test
    void allThatWasMadeIsRemovedOnce() {
        FanOutMade made = new FanOutMade(directory, OWN);
        made.make(client(), made.copy(0));
        made.group(made.copy(0), "copies-0");
        made.remove(client());
        assertThat(topics).isEmpty();
        assertThat(new ForeignTopics(directory, OWN).names()).isEmpty();
        // Not the job's own: of some brokers a group is that of all topics.
        assertThat(forgotten).containsExactly("team-readings-copy-0 team-millrace-fan-out-copies-0");
        assertThat(made.isEmpty()).isTrue();
        forgotten.clear();
        made.remove(client());
        assertThat(forgotten).isEmpty();
    }

    @Test
    void aTopicOfSomebodyElseIsNoCopyAndStays() {
        topics.add("team-readings-copy-0");
        FanOutMade made = new FanOutMade(directory, OWN);
        assertThatThrownBy(() -> made.make(client(), made.copy(0)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("topic 'team-readings-copy-0' is on the broker at 127.0.0.1:9 already");
        made.remove(client());
        assertThat(topics).containsExactly("team-readings-copy-0");
    }
}
