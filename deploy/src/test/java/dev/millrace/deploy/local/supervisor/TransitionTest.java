package dev.millrace.deploy.local.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Build;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.part.Part;
import dev.millrace.deploy.local.part.StorePart;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransitionTest {
    private final List<String> asked = new ArrayList<>();

    @Test
    @DisplayName("state that is dropped takes what an audit said of it along; without that both stay")
    void droppedState(@TempDir Path base) throws IOException {
        RunDirectory directory = RunDirectory.of(base, "x");
        Files.createDirectories(directory.path());
        Files.writeString(directory.auditFile(), "equal=true\n");

        begin(directory, 1);
        assertThat(asked).isEmpty();
        assertThat(directory.auditFile()).exists();

        begin(directory, 2);
        assertThat(asked).containsExactly("kill", "dropRows");
        assertThat(directory.auditFile()).doesNotExist();
    }

    private void begin(RunDirectory directory, long stateNumber) {
        StackSettings settings = StackSettings.bind("up", Options.of(Map.of("broker", "x")));
        new Transition(directory, new StackFile(settings, new Build("a", "p"), stateNumber))
                .begin(fake(Part.class), List.of(fake(Part.class)), fake(StorePart.class));
    }

    /** Does nothing but note what it was asked for. */
    private <T> T fake(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    asked.add(method.getName());
                    return null;
                }));
    }
}
