package dev.millrace.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Run directories that are closed to whoever calls, as another user's are. */
@EnabledOnOs(OS.LINUX) // has setpriv, without which root may look into everything
class ClosedFolderTest {
    @TempDir
    Path folder;

    private Path base;

    private record Outcome(int exitCode, String out, String err) {}

    @BeforeEach
    void aMountedDisk() throws Exception {
        base = Files.createDirectories(folder.resolve("base"));
        close(base.resolve("lost+found"));
    }

    @Test
    @DisplayName("what a disk has for itself is no stack")
    void lostAndFound() throws Exception {
        assertThat(run("down", "--all")).satisfies(outcome -> {
            assertThat(outcome.exitCode()).isZero();
            assertThat(outcome.out()).isEqualTo("There is no stack below " + base + "; nothing to do.\n");
            assertThat(outcome.err()).isEmpty();
        });
        assertThat(run("status").err()).startsWith("millrace: no stack runs below " + base);
    }

    @Test
    @DisplayName("down --all takes down what it sees, and then says what it does not")
    void downAll() throws Exception {
        RunDirectory own = stack("own");
        close(base.resolve("a-theirs"));
        close(base.resolve("theirs"));
        Outcome outcome = run("down", "--all");
        assertThat(outcome.exitCode()).isEqualTo(Millrace.ENVIRONMENT_ERROR);
        assertThat(outcome.out()).startsWith("The stack of own did not run").contains("\n" + unseen("a-theirs") + "\n");
        assertThat(outcome.err()).isEqualTo("millrace: " + unseen("theirs") + "\n");
        assertThat(own.stackFile()).doesNotExist();
    }

    @Test
    @DisplayName("that there is no stack is not said where there may be one")
    void mayBe() throws Exception {
        close(base.resolve("theirs"));
        for (String command : List.of("down", "status", "logs")) {
            Outcome outcome = run(command);
            assertThat(outcome.exitCode()).as(command).isEqualTo(Millrace.ENVIRONMENT_ERROR);
            assertThat(outcome.err()).isEqualTo("millrace: " + unseen("theirs") + "\n");
            assertThat(outcome.out()).isEmpty();
        }
    }

    @Test
    @DisplayName("the stack that runs is found beside one of which a part is closed")
    void beside() throws Exception {
        close(stack("theirs").storeFolder().resolve("data"));
        ServerProcess supervisor =
                ServerProcess.start("supervisor", stack("own").supervisorFolder(), List.of("sleep", "60"), Map.of());
        try {
            assertThat(run("generator", "pause").err()).startsWith("millrace: the generator of stack 'own' ");
            assertThat(run("generator", "pause", "--broker", "own").err())
                    .startsWith("millrace: the generator of stack 'own' ");
        } finally {
            supervisor.stop(Duration.ofSeconds(5));
        }
    }

    @Test
    @DisplayName("brokers lists all, with a sentence for the one whose stack it cannot see")
    void brokers() throws Exception {
        String broker = Installation.here().brokers().get(0);
        close(base.resolve(broker));
        Outcome outcome = run("brokers");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines())
                .filteredOn(line -> line.startsWith(broker + " "))
                .singleElement()
                .asString()
                .contains(" unknown ");
        assertThat(outcome.err()).isEqualTo("millrace: " + unseen(broker) + "\n");
    }

    private String unseen(String broker) {
        return "cannot tell whether there is a stack in " + base.resolve(broker) + ": this user may not look into it";
    }

    private RunDirectory stack(String broker) {
        RunDirectory directory = RunDirectory.of(base, broker);
        PropertiesFile.write(directory.stackFile(), Map.of("broker", broker));
        return directory;
    }

    private static void close(Path folder) throws Exception {
        Files.setPosixFilePermissions(Files.createDirectories(folder), PosixFilePermissions.fromString("---------"));
    }

    /** Root's right to look into everything is taken from the process; nobody else has it. */
    private Outcome run(String... arguments) throws Exception {
        List<String> line = new ArrayList<>();
        if ((Integer) Files.getAttribute(folder, "unix:uid") == 0) {
            line.addAll(List.of("setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all"));
        }
        line.addAll(MillraceProcess.line(arguments));
        line.addAll(List.of("--run-dir", base.toString()));
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        Process process = new ProcessBuilder(line)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
            return new Outcome(process.exitValue(), Files.readString(out), MillraceProcess.said(err));
        } finally {
            process.destroyForcibly();
        }
    }
}
