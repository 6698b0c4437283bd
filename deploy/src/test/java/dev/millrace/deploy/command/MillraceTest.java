package dev.millrace.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.ConsoleAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MillraceTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void whatAClientLibraryLogsIsNeverOnStandardOutputWhichMayBeJson() {
        Configuration logging = LoggerContext.getContext(false).getConfiguration();
        assertThat(logging.getRootLogger().getAppenders().values())
                .singleElement()
                .isInstanceOfSatisfying(ConsoleAppender.class, console -> assertThat(console.getTarget())
                        .isEqualTo(ConsoleAppender.Target.SYSTEM_ERR));
    }

    @Test
    void aWrongOptionIsASentenceWithASuggestion() {
        assertThat(run("up", "--brokre", "x")).isEqualTo(2);
        assertThat(err.toString()).contains("unknown option '--brokre'; did you mean '--broker'?");
    }

    @Test
    void aWrongOptionOfMillraceUpMayCarryItsValueWithEquals() {
        assertThat(run("up", "--broker", "x", "--rte=5")).isEqualTo(2);
        assertThat(err.toString()).contains("unknown option '--rte'; did you mean '--rate'?");
    }

    @Test
    void aWrongCommandIsASentenceWithASuggestion() {
        assertThat(run("dwon")).isEqualTo(2);
        assertThat(err.toString()).contains("unknown command 'dwon'; did you mean 'down'?");
    }

    @Test
    void aWrongBrokerListsThoseThatAreThere() {
        assertThat(run("up", "--broker", "nothing-like-it")).isEqualTo(2);
        assertThat(err.toString())
                .contains("there is no broker 'nothing-like-it'")
                .contains("; there are: ");
    }

    @Test
    void wrongValuesAreAllReportedAtOnce() {
        assertThat(run("up", "--rate", "abc", "--partitions", "none")).isEqualTo(2);
        assertThat(err.toString()).contains("'rate' is 'abc'").contains("'partitions' is 'none'");
    }

    @Test
    void anUnknownKeyInASettingsFileIsReportedWithTheFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("my.properties");
        Files.writeString(file, "devcies=5\n");
        assertThat(run("up", "--broker", "x", "--settings", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("settings file " + file)
                .contains("unknown key 'devcies'. Did you mean 'devices'?");
    }

    @Test
    void theVersionSaysWhatAReportOfAFaultNeeds() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString())
                .startsWith("millrace ")
                .containsPattern("\\nFlink +1\\.20\\.\\d+\\n")
                .contains("\nJava     " + Runtime.version());
    }

    @Test
    void helpIsOnEveryLevel() {
        assertThat(run("--help")).isZero();
        for (CommandLine command : Millrace.commandLine().getSubcommands().values()) {
            assertThat(run(command.getCommandName(), "--help"))
                    .as(command.getCommandName())
                    .isZero();
        }
        assertThat(out.toString()).contains("Usage: millrace up").contains("Usage: millrace down");
    }

    @Test
    void nothingToTakeDownIsNoError(@TempDir Path base) {
        assertThat(run("down", "--run-dir", base.toString())).isZero();
        assertThat(out.toString()).contains("There is no stack");
    }

    @Test
    void aMisspeltBrokerIsNoStackThatIsDown(@TempDir Path base) {
        String broker = Installation.here().brokers().get(0);
        assertThat(run("down", "--run-dir", base.toString(), "--broker", broker))
                .isZero();
        assertThat(run("down", "--run-dir", base.toString(), "--broker", broker + "x"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("no broker '" + broker + "x'; did you mean '" + broker + "'?");
    }

    @Test
    void aCommandOfAModuleThatIsNotBuiltSaysHowToBuildIt() {
        assertThat(run("benchmark", "--scenario", "quick")).isEqualTo(2);
        assertThat(err.toString())
                .contains("command 'benchmark' is not built yet")
                .contains("-pl perf -am package)");
    }

    @Test
    void logsOutliveTheirStackAndAreFoundWithoutItsName(@TempDir Path base) throws Exception {
        Path logs = Files.createDirectories(base.resolve("some").resolve("logs"));
        Files.writeString(logs.resolve("broker.log"), "the last words\n");
        assertThat(run("logs", "--run-dir", base.toString())).isZero();
        assertThat(out.toString()).contains("the last words");
        assertThat(run("logs", "--run-dir", base.toString(), "--lines", "-3")).isEqualTo(2);
        assertThat(err.toString()).contains("--lines is -3; it must be at least 0");
    }

    @Test
    void aProcessWithoutALogIsASentence(@TempDir Path base) throws Exception {
        Path logs = Files.createDirectories(base.resolve("some").resolve("logs"));
        Files.writeString(logs.resolve("broker.log"), "the last words\n");
        Files.writeString(logs.resolve("generator.log"), "");
        assertThat(run("logs", "store", "--run-dir", base.toString())).isEqualTo(2);
        assertThat(run("logs", "store", "--follow", "--broker", "some", "--run-dir", base.toString()))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .hasSize(2)
                .containsOnly("millrace: there is no log of process 'store': no file " + logs.resolve("store.log"));
        assertThat(run("logs", "generator", "--run-dir", base.toString()))
                .as("that it has said nothing is no error")
                .isZero();
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void everyFailureHasItsExitCode() {
        assertThat(Millrace.exitCode(new UserException("x"))).isEqualTo(2);
        assertThat(Millrace.exitCode(new EnvironmentException("x"))).isEqualTo(3);
        assertThat(Millrace.exitCode(new IllegalStateException("x"))).isEqualTo(1);
    }

    private int run(String... arguments) {
        return Millrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
