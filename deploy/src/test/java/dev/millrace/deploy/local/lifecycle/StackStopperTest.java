package dev.millrace.deploy.local.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackStopperTest {
    private static final String OF_ANOTHER_BUILD = "an-option-that-was";

    @TempDir
    Path base;

    @Test
    void keepsWhatNamesTopicsOnABrokerOfAPersonsOwn() throws IOException {
        RunDirectory directory = RunDirectory.of(base, "memory");
        Files.createDirectories(directory.generatorFolder());
        PropertiesFile.write(
                directory.stackFile(), Map.of("broker", "memory", "address", "127.0.0.1:1", OF_ANOTHER_BUILD, "1"));

        assertThatThrownBy(() -> new StackStopper(directory).down(false))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("cannot be removed by this build")
                .hasMessageContaining(OF_ANOTHER_BUILD);

        assertThat(directory.stackFile()).exists();
        assertThat(directory.generatorFolder()).exists();
    }

    @Test
    void saysWhichTopicsAreLeftWhileThePluginIsAway() {
        RunDirectory directory = RunDirectory.of(base, "elsewhere");
        Path gone = base.resolve("gone");
        PropertiesFile.write(
                directory.stackFile(),
                Map.of("broker", "elsewhere", "address", "127.0.0.1:1", "plugin-dir", gone.toString()));
        PropertiesFile.write(directory.topicsFile(), Map.of("millrace-0-readings", "127.0.0.1:1"));

        assertThatThrownBy(() -> new StackStopper(directory).down(false))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(
                        "the stack is stopped, but on your broker are still its topics millrace-0-readings")
                .hasMessageContaining("there is no folder " + gone);

        assertThat(directory.stackFile()).exists();
    }
}
