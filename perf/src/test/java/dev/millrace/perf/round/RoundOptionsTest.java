package dev.millrace.perf.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

class RoundOptionsTest {
    @TempDir
    Path base;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Rounds command = new Rounds();

    @CommandLine.Command(name = "rounds")
    private static final class Rounds {
        @Mixin
        RoundOptions rounds;
    }

    private record Found(Map<String, String> asked, List<String> measured) implements RoundResult {
        @Override
        public boolean isEmpty() {
            return measured.isEmpty();
        }

        @Override
        public String json() {
            return asked + " " + measured;
        }

        @Override
        public String text() {
            return "text of " + measured + "\n";
        }
    }

    @BeforeEach
    void parse() {
        CommandLine line = new CommandLine(command);
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        line.parseArgs("--brokers", "here");
    }

    private Found found(List<String> measured) {
        return new Found(command.rounds.asked(Map.of(), Map.of()), List.copyOf(measured));
    }

    private List<Path> kept() throws IOException {
        Path folder = base.resolve("results");
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (var files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    @DisplayName("what was measured is printed and kept")
    void whole() throws IOException {
        List<String> measured = new ArrayList<>();
        Found result = command.rounds.report("some", base, () -> measured.add("one"), () -> found(measured));
        assertThat(result.measured()).containsExactly("one");
        assertThat(out.toString()).isEqualTo("text of [one]\n");
        assertThat(kept())
                .singleElement()
                .satisfies(file -> assertThat(file).content().contains("[one]").doesNotContain("interrupted"));
    }

    @Test
    @DisplayName("what was measured before the process is ended is printed and kept, and says that it was interrupted")
    void interrupted() throws IOException {
        command.rounds.keepInterrupted("some", base, () -> found(List.of("one")));
        assertThat(out.toString()).isEqualTo("text of [one]\n");
        assertThat(err.toString()).startsWith("interrupted: these are the rounds until then");
        assertThat(kept())
                .singleElement()
                .satisfies(file -> assertThat(file).content().contains("interrupted=true", "[one]"));
    }

    @Test
    @DisplayName("a process that is ended before anything was measured leaves no result")
    void nothing() throws IOException {
        command.rounds.keepInterrupted("some", base, () -> found(List.of()));
        assertThat(out.toString()).isEmpty();
        assertThat(kept()).isEmpty();
    }

    @Test
    @DisplayName(
            "what fails by itself fails the command; what was measured before is kept, and says that it was interrupted")
    void failed() throws IOException {
        assertThatThrownBy(() -> command.rounds.report(
                        "some",
                        base,
                        () -> {
                            throw new IllegalStateException("it broke");
                        },
                        () -> found(List.of("one"))))
                .hasMessage("it broke");
        assertThat(kept())
                .singleElement()
                .satisfies(file -> assertThat(file).content().contains("interrupted=true", "[one]"));
    }

    @Test
    @DisplayName("a stack that a benchmark before it left is taken down first, with its data")
    void left() throws IOException {
        Path stack = Files.createDirectories(base.resolve("here"));
        Files.writeString(stack.resolve("stack.properties"), "broker=here\n");
        LeftStacks.mark(RunDirectory.of(base, "here"));
        List<Boolean> there = new ArrayList<>();
        command.rounds.report(
                "some",
                base,
                () -> there.add(Files.exists(stack.resolve("stack.properties"))),
                () -> found(List.of("one")));
        assertThat(there).containsExactly(false);
        assertThat(err.toString()).startsWith("taking down a stack of here that was left in " + stack);
    }

    @Test
    @DisplayName("a stack that no benchmark made is none to take down: it is refused, and stays")
    void others() throws IOException {
        Path stack = Files.createDirectories(base.resolve("here"));
        Path settings = Files.writeString(stack.resolve("stack.properties"), "broker=here\n");
        assertThatThrownBy(() -> command.rounds.report("some", base, () -> {}, () -> found(List.of("one"))))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("a stack of here that no benchmark made is in " + base)
                .hasMessageContaining("--run-dir");
        assertThat(settings).exists();
    }

    @Test
    @DisplayName("by whatever link a benchmark comes to where the clone's stacks are, one that runs there is refused")
    void byLink() throws IOException {
        Path root = Files.createDirectories(base.resolve("clone"));
        RunDirectory stack = RunDirectory.of(root.resolve(".millrace"), "here");
        Files.createDirectories(stack.supervisorFolder());
        Files.writeString(stack.stackFile(), "broker=here\n");
        Path link = Files.createSymbolicLink(base.resolve("link"), root.resolve(".millrace"));
        Installation clone = new Installation(root, Optional.empty());
        ServerProcess runs =
                ServerProcess.start("supervisor", stack.supervisorFolder(), List.of("sleep", "60"), Map.of());
        try {
            for (Path folder : List.of(root.resolve(".millrace"), link)) {
                assertThatThrownBy(() -> RoundOptions.requireNoStack(clone, folder.resolve("benchmark")))
                        .isInstanceOf(UserException.class)
                        .hasMessageStartingWith("a stack of here runs in " + root);
            }
            RoundOptions.requireNoStack(clone, base.resolve("elsewhere"));
        } finally {
            runs.stop(Duration.ofSeconds(10));
        }
    }

    @Test
    @DisplayName("another benchmark in the same folder is refused, and leaves the first one and its results alone")
    void second() throws IOException {
        List<String> measured = new ArrayList<>();
        command.rounds.report(
                "first",
                base,
                () -> {
                    assertThatThrownBy(() -> command.rounds.report(
                                    "second", base, () -> measured.add("second"), () -> found(List.of("second"))))
                            .isInstanceOf(UserException.class)
                            .hasMessageStartingWith("another benchmark is at work in " + base);
                    measured.add("first");
                },
                () -> found(measured));
        assertThat(kept())
                .singleElement()
                .satisfies(
                        file -> assertThat(file).content().contains("[first]").doesNotContain("interrupted"));
        command.rounds.report("third", base, () -> measured.add("third"), () -> found(measured));
        assertThat(kept()).hasSize(2);
    }
}
