package dev.millrace.connectors.api.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.lang.reflect.Proxy;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {

    @Test
    @DisplayName("a process is found again by its pid file, and after its end no more")
    void takenOver(@TempDir Path directory) {
        ServerProcess started = ServerProcess.start("sleeper", directory, List.of("sleep", "60"), Map.of());
        try {
            assertThat(ServerProcess.running("sleeper", directory))
                    .get()
                    .extracting(ServerProcess::pid)
                    .isEqualTo(started.pid());
        } finally {
            started.stop(Duration.ofSeconds(5));
        }
        assertThat(started.isAlive()).isFalse();
        assertThat(ServerProcess.running("sleeper", directory)).isEmpty();
    }

    @Test
    @DisplayName(
            "in a copy of its folder a process is not found, but whose copy that is; in a folder that was moved it is")
    void copied(@TempDir Path directory) throws Exception {
        Path folder = directory.resolve("a folder");
        ServerProcess started = ServerProcess.start("sleeper", folder, List.of("sleep", "60"), Map.of());
        try {
            assertThat(ServerProcess.copiedFrom("sleeper", folder)).isEmpty();
            Path copy = Files.createDirectory(directory.resolve("copy"));
            Files.copy(folder.resolve("sleeper.pid"), copy.resolve("sleeper.pid"));
            assertThat(ServerProcess.running("sleeper", copy)).isEmpty();
            assertThat(ServerProcess.copiedFrom("sleeper", copy)).contains(folder.toRealPath());
            Path link = Files.createSymbolicLink(directory.resolve("link"), folder);
            assertThat(ServerProcess.running("sleeper", link)).isPresent();
            Path moved = Files.move(folder, directory.resolve("moved"));
            assertThat(ServerProcess.running("sleeper", moved)).isPresent();
            assertThat(ServerProcess.copiedFrom("sleeper", moved)).isEmpty();
        } finally {
            started.stop(Duration.ofSeconds(5));
        }
        assertThat(ServerProcess.copiedFrom("sleeper", directory.resolve("copy")))
                .isEmpty();
    }

    @Test
    @DisplayName("one whose starter dies before it has written the pid file never begins")
    void starterDies(@TempDir Path directory) throws Exception {
        Path begun = directory.resolve("begun");
        Process child =
                new ProcessBuilder(ServerProcess.waiting("toucher", List.of("touch", begun.toString()))).start();
        try {
            assertThat(child.waitFor(300, TimeUnit.MILLISECONDS)).as("it waits").isFalse();
            child.getOutputStream().close();
            assertThat(child.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(child.exitValue()).isNotZero();
            assertThat(begun).doesNotExist();
        } finally {
            child.destroyForcibly();
        }
        ServerProcess told = ServerProcess.start("toucher", directory, List.of("touch", begun.toString()), Map.of());
        assertThat(told.awaitExit(Duration.ofSeconds(20))).isTrue();
        assertThat(told.exitCode()).hasValue(0);
        assertThat(begun).exists();
    }

    @Test
    @Timeout(60)
    @DisplayName("one that is seen ended has an exit code, though Java may ask for it later")
    void endedHasACode(@TempDir Path directory) {
        for (int i = 0; i < 200; i++) {
            ServerProcess started = ServerProcess.start("ender", directory, List.of("sh", "-c", "exit 7"), Map.of());
            while (started.isAlive()) {
                Thread.onSpinWait();
            }
            assertThat(started.exitCode()).as("process %d", i).hasValue(7);
        }
    }

    @Test
    @DisplayName("a command that is not there is said in the log")
    void noSuchCommand(@TempDir Path directory) {
        ServerProcess started = ServerProcess.start("nothing", directory, List.of("./no-such-command"), Map.of());
        assertThat(started.awaitExit(Duration.ofSeconds(20))).isTrue();
        assertThat(started.exitCode()).hasValue(127);
        assertThat(started.logTail(1))
                .contains("nothing")
                .contains("no-such-command")
                .contains("not found");
    }

    @Test
    @DisplayName("a stranger that has got the same pid is not taken for ours")
    void strangerWithOurPid(@TempDir Path directory) throws Exception {
        Files.writeString(
                directory.resolve("sleeper.pid"), ProcessHandle.current().pid() + " 12345\n");
        assertThat(ServerProcess.running("sleeper", directory)).isEmpty();
    }

    @Test
    @DisplayName("one that has ended and whose parent never asks for its exit code is not alive, though Java says so")
    @EnabledOnOs(OS.LINUX)
    void defunct(@TempDir Path directory) throws Exception {
        // The shell becomes a sleeper that knows nothing of its child.
        Process parent = new ProcessBuilder("sh", "-c", "sleep 1 & exec sleep 60").start();
        try {
            ProcessHandle child = null;
            for (int look = 0; look < 100 && child == null; look++) {
                child = parent.children().findFirst().orElse(null);
                LockSupport.parkNanos(50_000_000);
            }
            assertThat(child).isNotNull();
            Files.writeString(directory.resolve("orphan.pid"), child.pid() + " " + ProcessStart.of(child) + "\n");
            ServerProcess orphan = ServerProcess.running("orphan", directory).orElseThrow();
            assertThat(orphan.awaitExit(Duration.ofSeconds(20))).isTrue();
            assertThat(child.isAlive()).isTrue();
            assertThat(orphan.isAlive()).isFalse();
            assertThat(ServerProcess.running("orphan", directory)).isEmpty();
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    @DisplayName("a stopped process (SIGSTOP) still ends within the bound")
    void stopOfAPausedProcess(@TempDir Path directory) {
        ServerProcess started = ServerProcess.start("sleeper", directory, List.of("sleep", "60"), Map.of());
        started.pause();
        started.stop(Duration.ofSeconds(5));
        assertThat(started.isAlive()).isFalse();
    }

    @Test
    @DisplayName("how a process ended by itself is told: by a signal, or with the code that it gave")
    void ending(@TempDir Path directory) {
        Map.of("exit 3", "with exit code 3", "exit 239", "with exit code 239", "kill -15 $$", "by signal 15")
                .forEach((script, how) -> {
                    ServerProcess started =
                            ServerProcess.start("short", directory, List.of("sh", "-c", script), Map.of());
                    assertThat(started.awaitExit(Duration.ofSeconds(20))).isTrue();
                    assertThat(started.ending()).contains(how);
                    started.stop(Duration.ofSeconds(5));
                    assertThat(started.ending()).as("it was ended here").isEmpty();
                });
    }

    @Test
    @DisplayName("a process that is paused is seen standing still, by what every Linux has")
    @EnabledOnOs(OS.LINUX)
    void paused(@TempDir Path directory) {
        ServerProcess started = ServerProcess.start("sleeper", directory, List.of("sleep", "60"), Map.of());
        try {
            assertThat(ProcessStart.isStopped(started.handle())).contains(false);
            started.pause();
            assertThat(ProcessStart.isStopped(started.handle())).contains(true);
        } finally {
            started.stop(Duration.ofSeconds(5));
        }
        assertThat(ProcessStart.isStopped(started.handle())).as("gone").contains(false);
    }

    @Test
    @DisplayName("one that does not end on SIGKILL keeps its pid file, and that is said")
    void hangsInTheKernel(@TempDir Path directory) throws Exception {
        ProcessHandle own = ProcessHandle.current();
        ProcessHandle hangs = (ProcessHandle) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ProcessHandle.class},
                (proxy, method, arguments) ->
                        method.getName().startsWith("destroy") ? Boolean.TRUE : method.invoke(own, arguments));
        Path pidFile = Files.writeString(directory.resolve("x.pid"), own.pid() + " 1\n");
        ServerProcess process = new ServerProcess("x", hangs, directory.resolve("x.log"), pidFile, null);
        // So that the bounds are not waited for.
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> process.stop(Duration.ZERO))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessage("x (pid " + own.pid() + ") has not ended on SIGKILL; say down again");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(pidFile).exists();
    }

    @Test
    @DisplayName("a taken port is passed over, and refused with a sentence when it was named")
    void ports() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            assertThat(Ports.firstFree(port)).isGreaterThan(port);
            assertThatThrownBy(() -> Ports.named(port, "--broker-port"))
                    .isInstanceOf(UserException.class)
                    .hasMessageStartingWith("port " + port + " (--broker-port) is taken on 127.0.0.1");
        }
    }

    @Test
    @DisplayName("a port that another process has chosen for a server that does not listen yet is passed over")
    @EnabledOnOs(OS.LINUX)
    void portThatIsHeld() throws Exception {
        int port = Ports.firstFree(39_500);
        try (SocketChannel another = SocketChannel.open()) {
            assertThatThrownBy(() -> another.bind(new InetSocketAddress("127.0.0.2", port)))
                    .as("this process holds what it chose")
                    .isInstanceOf(BindException.class);
            another.bind(new InetSocketAddress("127.0.0.2", port + 1));
            assertThat(Ports.isFree(port + 1)).isTrue();
            assertThat(Ports.firstFree(port + 1)).isGreaterThan(port + 1);
        }
    }
}
