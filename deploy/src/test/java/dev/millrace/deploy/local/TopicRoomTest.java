package dev.millrace.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TopicRoomTest {
    @Test
    void topicsThatAServerHasNoRoomForAreRefusedWithWhatWouldFit() {
        assertThatCode(() -> TopicRoom.require(keeping(1169), settings(Map.of()), Optional.empty()))
                .doesNotThrowAnyException();
        assertThatCode(() -> TopicRoom.require(
                        keeping(1169),
                        settings(Map.of("results", "topic", "retention-bytes", "512MiB")),
                        Optional.empty()))
                .doesNotThrowAnyException();
        assertThatCode(() -> TopicRoom.require(
                        keeping(1169),
                        settings(Map.of("results", "topic", "address", "127.0.0.1:9")),
                        Optional.empty()))
                .doesNotThrowAnyException();
        assertThatThrownBy(
                        () -> TopicRoom.require(keeping(1169), settings(Map.of("results", "topic")), Optional.empty()))
                .isInstanceOf(UserException.class)
                .hasMessage(
                        "'readings' and 'windows' are to keep 1.0 GiB each (--retention-bytes), but broker 'floor' keeps"
                                + " topics in its memory and has room for 1169MiB of them together; name --retention-bytes 512MiB,"
                                + " or a greater --broker-memory");
        assertThatThrownBy(() ->
                        TopicRoom.require(keeping(69), settings(Map.of("broker-memory", "256MiB")), Optional.empty()))
                .hasMessage(
                        "'readings' is to keep 1.0 GiB (--retention-bytes), but broker 'floor' keeps topics in its memory"
                                + " and has room for 69MiB of them together; name a greater --broker-memory");
    }

    @Test
    void whatAStackHasTooLittleRoomForAlreadyIsNotItsChanges() {
        StackSettings narrow = settings(Map.of("results", "topic"));
        StackSettings faster = settings(Map.of("results", "topic", "rate", "7"));
        assertThatCode(() -> TopicRoom.require(keeping(1169), faster, Optional.of(narrow)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> TopicRoom.require(keeping(1169), narrow, Optional.of(settings(Map.of()))))
                .hasMessageEndingWith("; a stack with data takes neither: millrace down, then up");
    }

    private static StackSettings settings(Map<String, String> values) {
        return StackSettings.bind("up", Options.of(values).with("broker", "floor"));
    }

    /** A broker that says what its server has room for, and nothing else. */
    private static Broker keeping(long mebibytes) {
        return (Broker) Proxy.newProxyInstance(
                Broker.class.getClassLoader(), new Class<?>[] {Broker.class}, (self, method, arguments) -> {
                    if (method.getName().equals("localTopicBytes")) {
                        return ((TopicSpec) arguments[0]).retentionBytes() + (4L << 20);
                    }
                    if (method.getName().equals("localRoomBytes")) {
                        return OptionalLong.of(mebibytes << 20);
                    }
                    assertThat(method.getName()).isEqualTo("name");
                    return "floor";
                });
    }
}
