package dev.millrace.deploy.local.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.settings.LocalFolder;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StackCheckTest {
    @TempDir
    Path base;

    @ParameterizedTest
    @CsvSource({
        "'a,b', a comma or a colon separates paths",
        "a:b, a comma or a colon separates paths",
        "50%tax, Java puts a number or a time in the place of %p"
    })
    void aRunDirectoryThatServersWouldReadAsSomethingElseIsRefused(String name, String why) {
        Path path = base.resolve(name);
        assertThatThrownBy(() -> StackCheck.disk(RunDirectory.of(path, "one")))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("the run directory cannot be " + path.resolve("one") + ": " + why)
                .hasMessageEndingWith("; put it elsewhere with --run-dir");
        assertThat(path).doesNotExist();
    }

    @Test
    void topicsThatAServerHasNoRoomForAreRefusedWithWhatWouldFit() {
        assertThatCode(() -> StackCheck.room(keeping(1169), settings(Map.of()))).doesNotThrowAnyException();
        assertThatCode(() -> StackCheck.room(
                        keeping(1169), settings(Map.of("results", "topic", "retention-bytes", "512MiB"))))
                .doesNotThrowAnyException();
        assertThatCode(() ->
                        StackCheck.room(keeping(1169), settings(Map.of("results", "topic", "address", "127.0.0.1:9"))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> StackCheck.room(keeping(1169), settings(Map.of("results", "topic"))))
                .isInstanceOf(UserException.class)
                .hasMessage(
                        "'readings' and 'windows' are to keep 1.0 GiB each (--retention-bytes), but broker 'floor' keeps"
                                + " topics in its memory and has room for 1169MiB of them together; name --retention-bytes 512MiB,"
                                + " or a greater --broker-memory");
        assertThatThrownBy(() -> StackCheck.room(keeping(81), settings(Map.of("broker-memory", "256MiB"))))
                .hasMessage(
                        "'readings' is to keep 1.0 GiB (--retention-bytes), but broker 'floor' keeps topics in its memory"
                                + " and has room for 81MiB of them together; name --retention-bytes 64MiB, or a greater"
                                + " --broker-memory");
    }

    private static StackSettings settings(Map<String, String> values) {
        return StackSettings.bind("up", Options.of(values).with("broker", "floor"));
    }

    /** A broker that says what its server has room for, and nothing else. */
    private static Broker keeping(long mebibytes) {
        return (Broker) Proxy.newProxyInstance(
                Broker.class.getClassLoader(), new Class<?>[] {Broker.class}, (self, method, arguments) -> {
                    if (method.getName().equals("localRoomBytes")) {
                        return OptionalLong.of(mebibytes << 20);
                    }
                    assertThat(method.getName()).isEqualTo("name");
                    return "floor";
                });
    }

    @Test
    void aMovedStackDoesNotResumeAndOneBehindALinkDoes() throws IOException {
        RunDirectory here = RunDirectory.of(base.resolve("here"), "one");
        PropertiesFile.write(
                here.flinkFolder().resolve("jobmanager/job.properties"),
                Map.of("checkpoint-directory", LocalFolder.location(here.checkpoints())));
        Path checkpoint = Files.createDirectories(here.checkpoints().resolve("job/chk-1"));
        Files.writeString(checkpoint.resolve("_metadata"), "x");
        assertThatCode(() -> StackCheck.notMoved(here)).doesNotThrowAnyException();

        Path link = Files.createSymbolicLink(base.resolve("link"), base.resolve("here"));
        assertThatCode(() -> StackCheck.notMoved(RunDirectory.of(link, "one"))).doesNotThrowAnyException();

        Path moved = Files.move(base.resolve("here"), base.resolve("there"));
        assertThatThrownBy(() -> StackCheck.notMoved(RunDirectory.of(moved, "one")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("was moved or copied from " + here.path());
    }
}
