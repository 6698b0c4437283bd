package dev.millrace.deploy.local.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.LocalFolder;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
