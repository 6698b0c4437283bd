package dev.millrace.deploy.local.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.part.Part;
import dev.millrace.deploy.local.part.ProcessLaunch;
import dev.millrace.deploy.local.part.ProcessPart;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class KeeperTest {
    @TempDir
    Path folder;

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @Test
    void aPartThatIsKilledIsStartedAgainAndWhatDependsOnItIsToldFirst() throws Exception {
        Part part = sleeper("sleeper", "a");
        Keeper keeper = new Keeper(part, () -> events.add("dead"));
        keeper.start();
        assertThat(next()).isEqualTo("start");
        long first = part.pid();
        part.kill();
        assertThat(next()).isEqualTo("dead");
        assertThat(next()).isEqualTo("start");
        keeper.stop();
        assertThat(keeper.restarts()).isEqualTo(1);
        assertThat(ProcessHandle.of(first)).isEmpty();
        assertThat(part.isAlive()).isFalse();
    }

    @Test
    void howAPartEndedByItselfIsToldAndThatItWasKilledHereIsNot() throws Exception {
        Part part = sleeper("sleeper", "a");
        Keeper keeper = new Keeper(part, () -> events.add("dead"));
        keeper.start();
        assertThat(next()).isEqualTo("start");
        ProcessHandle.of(part.pid()).orElseThrow().destroyForcibly();
        assertThat(next()).isEqualTo("dead");
        assertThat(keeper.view().ended()).isEqualTo("by signal 9, as the kernel ends processes when memory is short");
        assertThat(next()).isEqualTo("start");
        part.kill();
        assertThat(next()).isEqualTo("dead");
        assertThat(keeper.view().ended()).isEmpty();
        keeper.stop();
    }

    @Test
    void anErrorEndsNoKeeper() throws Exception {
        AtomicInteger deaths = new AtomicInteger();
        Part part = sleeper("sleeper", "a");
        Keeper keeper = new Keeper(part, () -> {
            events.add("dead");
            if (deaths.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });
        keeper.start();
        assertThat(next()).isEqualTo("start");
        part.kill();
        assertThat(next()).isEqualTo("dead");
        assertThat(next()).as("it tries again").isEqualTo("dead");
        assertThat(next()).isEqualTo("start");
        keeper.stop();
        assertThat(keeper.problem()).isEmpty();
    }

    @Test
    void aPartThatIsStoppedStaysStopped() throws Exception {
        Keeper keeper = new Keeper(sleeper("sleeper", "a"), () -> events.add("dead"));
        keeper.start();
        assertThat(next()).isEqualTo("start");
        keeper.stop();
        assertThat(events.poll(2, TimeUnit.SECONDS)).isNull();
        assertThat(keeper.view().state()).isEqualTo("stopped");
    }

    @Test
    void theFirstStartThatFailsIsThrown() {
        Keeper keeper = new Keeper(
                new ProcessPart(
                        "x",
                        new RunDirectory(folder),
                        folder.resolve("x.log"),
                        () -> {
                            throw new UserException("port 5 is taken");
                        },
                        replaced -> {},
                        List.of()),
                () -> {});
        assertThatThrownBy(keeper::start).isInstanceOf(UserException.class);
        assertThat(keeper.isStarted()).isFalse();
    }

    @Test
    void aLivingProcessIsTakenOverUnlessItsSettingsOrItsCommandChanged() throws Exception {
        Part first = sleeper("sleeper", "a");
        first.start();
        Part second = sleeper("sleeper", "a");
        second.start();
        assertThat(second.pid()).isEqualTo(first.pid());
        assertThat(events).doesNotContain("replaced");
        Part another = sleeper("sleeper", "a", "90");
        another.start();
        assertThat(another.pid()).isNotEqualTo(first.pid());
        assertThat(events).contains("replaced");
        Part changed = sleeper("sleeper", "b", "90");
        changed.start();
        assertThat(changed.pid()).isNotEqualTo(another.pid());
        assertThat(first.isAlive()).isFalse();
        assertThat(another.isAlive()).isFalse();
        changed.stop();
    }

    @Test
    void whatAnEarlierProcessLeftForItselfGoesWhenNoneIsTakenOver() throws Exception {
        Path left = Files.createDirectories(folder.resolve("scratch")).resolve("left");
        Files.writeString(left, "x");
        Part first = sleeper("sleeper", "a");
        first.start();
        assertThat(left).doesNotExist();
        assertThat(left.getParent()).as("for the process to use").isEmptyDirectory();
        Files.createDirectories(left);
        sleeper("sleeper", "a").start();
        assertThat(left).as("of the process that runs").exists();
        first.kill();
        Part next = sleeper("sleeper", "a");
        next.start();
        assertThat(left).doesNotExist();
        next.stop();
    }

    private String next() throws InterruptedException {
        return events.poll(20, TimeUnit.SECONDS);
    }

    private Part sleeper(String name, String settings) {
        return sleeper(name, settings, "60");
    }

    private Part sleeper(String name, String settings, String seconds) {
        return new ProcessPart(
                name,
                new RunDirectory(folder),
                folder.resolve("x.log"),
                () -> {
                    events.add("start");
                    return new ProcessLaunch(List.of("sleep", seconds), settings, "", "");
                },
                replaced -> events.add("replaced"),
                List.of(folder.resolve("scratch")));
    }
}
