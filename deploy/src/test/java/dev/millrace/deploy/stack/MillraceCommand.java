package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectories;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.look.StackLook;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** {@code deploy/bin/millrace} on run directories of its own, as a person calls it; every call has a bound. */
final class MillraceCommand {
    /** For every process of a test's stack, as the build gives it: each lives for a minute or less. */
    private static final String SHORT_LIVED =
            Optional.ofNullable(System.getenv("JAVA_TOOL_OPTIONS")).orElse("");

    /** Commands that look at no stack. */
    private static final Set<String> WITHOUT_RUN_DIR = Set.of("lint");

    private static final Installation INSTALLATION = Installation.here();
    private static final Duration BOUND = Duration.ofMinutes(5);
    /** A look at a stack asks its broker, store and job: more often, and the asking is what slows them down. */
    private static final Duration LOOK = Duration.ofMillis(400);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path root;
    private final Path base;
    private final String javaOptions;

    /** @param base where run directories are */
    MillraceCommand(Path base) {
        this(INSTALLATION.root(), base, SHORT_LIVED);
    }

    private MillraceCommand(Path root, Path base, String javaOptions) {
        this.root = root;
        this.base = base;
        this.javaOptions = javaOptions;
    }

    /** The same, whose processes' own HTTP goes by way of a proxy, loopback too. */
    MillraceCommand byWayOf(URI proxy) {
        return new MillraceCommand(
                root,
                base,
                javaOptions + " -Dhttp.nonProxyHosts= -Dhttp.proxyHost=" + proxy.getHost() + " -Dhttp.proxyPort="
                        + proxy.getPort());
    }

    /** The same stacks, by the command of another clone. */
    MillraceCommand of(Path clone) {
        return new MillraceCommand(clone, base, javaOptions);
    }

    /** The clone that this build is of. */
    static Path root() {
        return INSTALLATION.root();
    }

    /** What a call printed, both streams together, and how it ended. */
    record Outcome(int exitCode, String text) {
        String succeeded() {
            assertThat(exitCode).as(text).isZero();
            return text;
        }

        String failed(int wanted) {
            assertThat(exitCode).as(text).isEqualTo(wanted);
            return text;
        }
    }

    /** The brokers whose plugin this build packed. */
    static List<String> brokers() {
        return INSTALLATION.builtBrokers();
    }

    /** Those of them whose server may be killed: what a stack does in a fault shows on these. */
    static List<String> durableBrokers() {
        return brokers().stream().filter(MillraceCommand::survivesKill).toList();
    }

    /**
     * The one broker of a test that would take too long on all: one that keeps what it has when it is killed, where there is one,
     * since most users' do. {@code -Dmillrace.test.broker=NAME} asks for another.
     */
    static String broker() {
        return System.getProperty(
                "millrace.test.broker",
                durableBrokers().stream().findFirst().orElse(brokers().get(0)));
    }

    /** The broker that is the quickest to start: one that keeps nothing, where there is one. */
    static String quickest() {
        return brokers().stream()
                .filter(broker -> !survivesKill(broker))
                .findFirst()
                .orElse(brokers().get(0));
    }

    static boolean survivesKill(String broker) {
        return withPlugin(broker, plugin -> plugin.capabilities().contains(Capability.SURVIVES_KILL));
    }

    /** Runs something on a broker's plugin, with its class loader as the thread's. */
    static <R> R withPlugin(String broker, Function<Broker, R> work) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try {
            return work.apply(INSTALLATION.load(broker));
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    RunDirectory directory(String broker) {
        return RunDirectory.of(base, broker);
    }

    /** How long each call takes is printed: calls are most of what these tests wait for. */
    Outcome run(String... arguments) {
        long begun = System.nanoTime();
        try {
            return ended(arguments);
        } finally {
            System.out.printf(
                    Locale.ROOT,
                    "%5.1f s: millrace %s%n",
                    (System.nanoTime() - begun) / 1e9,
                    String.join(" ", arguments));
        }
    }

    private Outcome ended(String... arguments) {
        List<String> command = command(arguments);
        try {
            Path output = Files.createTempFile("millrace", ".out");
            Process process = start(output, arguments);
            try {
                assertThat(process.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS))
                        .as(command + " within " + BOUND + "\n" + Files.readString(output))
                        .isTrue();
                return new Outcome(process.exitValue(), command + "\n" + said(output));
            } finally {
                process.destroy();
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new IllegalStateException(command + " cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(root.resolve("deploy/bin/millrace").toString());
        command.addAll(List.of(arguments));
        if (!WITHOUT_RUN_DIR.contains(arguments[0])) {
            command.addAll(List.of("--run-dir", base.toString()));
        }
        return command;
    }

    /** What the call said, without what Java says of its environment. */
    private static String said(Path output) throws IOException {
        return Files.readString(output).replaceAll("(?m)^Picked up JAVA_TOOL_OPTIONS.*\\R", "");
    }

    /** Starts a call and does not wait for it; the caller sees to its end. */
    Process start(Path output, String... arguments) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command(arguments)).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("JAVA_TOOL_OPTIONS", javaOptions);
        return builder.start();
    }

    /**
     * What {@code status --json} says of the one stack there is, asked in this process: tests ask again and again, and a process for
     * each question would be the most that they do.
     */
    JsonNode status() {
        RunDirectory directory = RunDirectories.theOne(base, Optional.empty());
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (StackLook look = new StackLook(directory)) {
            return JSON.readTree(look.look().json());
        } catch (IOException e) {
            throw new AssertionError("the status is not JSON", e);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** Sends a signal by its name without SIG. */
    static void signal(long pid, String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .inheritIO()
                    .start();
            assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(kill.exitValue()).as("kill -%s %d", name, pid).isZero();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The processes that have this base in their command line. */
    List<String> processes() {
        return ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(command -> command.contains(base.toString()))
                .toList();
    }

    /** Waits until {@code condition} holds; fails with {@code what} and the stack's state when it never does. */
    void await(String what, Duration bound, BooleanSupplier condition) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as(() -> "within " + bound + ": " + what + "\n"
                            + run("status").text())
                    .isLessThan(deadline);
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }
}
