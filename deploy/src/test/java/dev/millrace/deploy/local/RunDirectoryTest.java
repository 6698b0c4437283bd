package dev.millrace.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.process.ProcessLock;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.lifecycle.StackStopper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunDirectoryTest {
    @TempDir
    Path base;

    private final List<ServerProcess> started = new ArrayList<>();

    @AfterEach
    void stopWhatWasStarted() {
        started.forEach(process -> process.stop(Duration.ofSeconds(5)));
    }

    @Test
    void noStackIsASentenceThatSaysHowToStartOne() {
        assertThatThrownBy(() -> RunDirectories.theOne(base, Optional.empty()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("no stack runs")
                .hasMessageContaining("millrace up --broker");
    }

    @Test
    void theOnlyStackThatRunsIsTheOneThatIsMeant() {
        stack("one");
        PropertiesFile.write(RunDirectory.of(base, "down").stackFile(), Map.of("broker", "down"));
        assertThat(RunDirectories.theOne(base, Optional.empty()).broker()).isEqualTo("one");
        assertThat(RunDirectories.all(base)).extracting(RunDirectory::broker).containsExactly("down", "one");
        assertThatThrownBy(() -> RunDirectories.theOne(base, Optional.of("down")))
                .hasMessageContaining("no stack of broker 'down'")
                .hasMessageContaining("there runs: one");
    }

    @Test
    void moreThanOneAreListed() {
        stack("one");
        stack("two");
        assertThatThrownBy(() -> RunDirectories.theOne(base, Optional.empty()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("one, two")
                .hasMessageContaining("--broker");
        assertThat(RunDirectories.theOne(base, Optional.of("two")).broker()).isEqualTo("two");
    }

    @Test
    void downStopsWhatADeadSupervisorLeftAndDeletesEverythingButLogs() throws Exception {
        RunDirectory directory = stack("one");
        ServerProcess generator = start("generator", directory.supervisorFolder());
        ServerProcess broker = start("anything", directory.brokerFolder().resolve("deep"));
        Files.createDirectories(directory.logs());
        Files.writeString(directory.logs().resolve("generator.log"), "line\n");
        Files.createDirectories(directory.checkpoints());
        Files.writeString(directory.checkpoints().resolve("data"), "x");
        assertThat(new StackStopper(directory).down(false)).isTrue();
        assertThat(generator.isAlive()).isFalse();
        assertThat(broker.isAlive()).isFalse();
        assertThat(directory.path()).isDirectoryContaining(path -> path.endsWith("logs"));
        try (var entries = Files.list(directory.path())) {
            assertThat(entries).hasSize(1);
        }
        assertThat(Files.readString(directory.logs().resolve("generator.log"))).isEqualTo("line\n");
    }

    @Test
    void downLeavesWhatIsSomebodyElses() throws Exception {
        RunDirectory directory = stack("one");
        Path theirs = Files.createDirectories(directory.path().resolve("topic-0"));
        Files.writeString(theirs.resolve("segment"), "x");
        Files.createDirectories(directory.brokerFolder());
        assertThat(new StackStopper(directory).down(false)).isTrue();
        assertThat(theirs.resolve("segment")).exists();
        assertThat(directory.brokerFolder()).doesNotExist();
        assertThat(directory.others()).containsExactly("topic-0");
    }

    @Test
    void whatIsSomebodyElsesIsNotSearchedForProcesses() {
        RunDirectory directory = stack("one");
        // Root may look into a folder that is closed: what is found there tells whether it was looked into.
        start("stranger", directory.path().resolve("lost+found"));
        assertThat(directory.processes()).extracting(ServerProcess::name).containsExactly("supervisor");
    }

    @Test
    void aStackIsBeingTakenDownForAsLongAsItsSupervisorLives() {
        RunDirectory directory = stack("one");
        assertThat(directory.isStopping()).isFalse();
        directory.stopping(true);
        assertThat(directory.isStopping()).isTrue();
        directory.supervisor().orElseThrow().kill();
        assertThat(directory.isStopping()).isFalse();
        start("supervisor", directory.supervisorFolder());
        directory.stopping(false);
        assertThat(directory.isStopping()).isFalse();
    }

    @Test
    void aCopyOfAStackThatRunsLeavesTheOriginalAlone() throws Exception {
        RunDirectory original = stack("one");
        start("server", original.brokerFolder().resolve("deep"));
        Path elsewhere = Files.createDirectory(base.resolve("elsewhere"));
        copy(original.path(), elsewhere);
        RunDirectory copy = RunDirectory.of(elsewhere, "one");
        assertThat(copy.isRunning()).isFalse();
        assertThatThrownBy(() -> new StackStopper(copy).down(false))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("(" + copy.path() + ") is a copy of a stack that runs")
                .hasMessageContaining(original.path().toString());
        assertThat(copy.stackFile()).exists();
        assertThat(original.processes()).hasSize(2);
        assertThat(new StackStopper(original).down(false)).isTrue();
        assertThat(new StackStopper(copy).down(false))
                .as("nothing runs any more")
                .isFalse();
        assertThat(copy.stackFile()).doesNotExist();
    }

    private static void copy(Path folder, Path into) throws Exception {
        Process copy = new ProcessBuilder("cp", "-a", folder.toString(), into.toString())
                .inheritIO()
                .start();
        assertThat(copy.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(copy.exitValue()).isZero();
    }

    @Test
    void aStackThatWasMovedIsStillTheOneThatRuns() throws Exception {
        RunDirectory original = stack("one");
        Path elsewhere = Files.createDirectory(base.resolve("elsewhere"));
        RunDirectory moved = new RunDirectory(Files.move(original.path(), elsewhere.resolve("one")));
        assertThat(moved.supervisor()).isPresent();
        // Another one may be there by now.
        stack("one");
        assertThat(new StackStopper(moved).down(false)).isTrue();
        assertThat(started.get(0).isAlive()).isFalse();
        assertThat(original.supervisor()).isPresent();
    }

    @Test
    void downCanKeepTheData() throws Exception {
        RunDirectory directory = stack("one");
        Files.createDirectories(directory.checkpoints());
        Files.writeString(directory.checkpoints().resolve("data"), "x");
        assertThat(new StackStopper(directory).down(true)).isTrue();
        assertThat(directory.isRunning()).isFalse();
        assertThat(directory.checkpoints().resolve("data")).exists();
        assertThat(directory.settings()).isPresent();
    }

    @Test
    @SuppressWarnings("try") // a lock is held, not used
    void whileAnotherIsAtWorkDownIsRefusedAndStopsNothing() {
        RunDirectory directory = stack("one");
        try (ProcessLock held = directory.lock()) {
            assertThatThrownBy(() -> new StackStopper(directory).down(false))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("another millrace up or down is at work on " + directory.path());
        }
        assertThat(directory.isRunning()).isTrue();
    }

    @Test
    void downTakesAStackDownAlsoWhereTheSettingsAreAnotherVersions() {
        RunDirectory directory = stack("one");
        ServerProcess generator = start("generator", directory.supervisorFolder());
        PropertiesFile.write(directory.stackFile(), Map.of("broker", "one", "of-another-version", "1"));
        assertThat(new StackStopper(directory).down(false)).isTrue();
        assertThat(generator.isAlive()).isFalse();
        assertThat(directory.stackFile()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"savepoint", "generator pause", "generator resume", "generator rate 5"})
    void whatNeedsAJobOrGeneratorSaysThatThereIsNone(String command) {
        stack("one");
        StringWriter err = new StringWriter();
        int code = Millrace.commandLine()
                .setErr(new PrintWriter(err, true))
                .execute((command + " --run-dir " + base).split(" "));
        assertThat(code).as(err.toString()).isEqualTo(3);
        assertThat(err.toString()).containsPattern("(job|generator) of stack 'one' (does not run|is not up)");
    }

    @Test
    void aFolderIsOneRunDirectoryByWhateverLinkItIsReached() throws Exception {
        Path folder = Files.createDirectory(base.toRealPath().resolve("folder"));
        Path link = Files.createSymbolicLink(base.resolve("link"), folder);
        // Below the clone, as the default is: the first up makes it.
        RunDirectory one = RunDirectory.of(folder.resolve(".millrace"), "one");
        RunDirectory linked = RunDirectory.of(link.resolve(".millrace"), "one");
        String id = UUID.nameUUIDFromBytes(one.path().toString().getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
        assertThat(List.of(one.jobId(), linked.jobId())).as("before it is made").containsOnly(id);
        Files.createDirectories(linked.path());
        assertThat(List.of(one.jobId(), linked.jobId())).as("when it is there").containsOnly(id);
        assertThat(RunDirectory.of(folder.resolve(".millrace"), "two").jobId()).isNotEqualTo(id);
    }

    @Test
    void aStateIsReadBackAsItWasWritten() {
        StackState state = new StackState(
                StackState.State.RUNNING,
                "the job runs: a = b",
                "abc",
                5,
                Map.of("store", new StackState.Part(7, "running", 2, "http://a:1", "http://a:1/metrics", "/x y.log")),
                "127.0.0.1:1",
                Options.of(Map.of("address", "127.0.0.1:1")),
                Options.of(Map.of("url", "http://a:1")));
        RunDirectory directory = RunDirectory.of(base, "one");
        PropertiesFile.write(directory.endpointsFile(), state.toProperties());
        assertThat(directory.state()).contains(state);
    }

    private RunDirectory stack(String broker) {
        RunDirectory directory = RunDirectory.of(base, broker);
        PropertiesFile.write(directory.stackFile(), Map.of("broker", broker));
        start("supervisor", directory.supervisorFolder());
        return directory;
    }

    private ServerProcess start(String name, Path folder) {
        ServerProcess process = ServerProcess.start(name, folder, List.of("sleep", "60"), Map.of());
        started.add(process);
        return process;
    }
}
