package dev.millrace.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LookCommandsTest {
    @TempDir
    Path empty;

    private record Outcome(int exitCode, String out, String err) {}

    private static Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Millrace.commandLine();
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return new Outcome(line.execute(arguments), out.toString(), err.toString());
    }

    @ParameterizedTest
    @DisplayName("with no stack running, every command that needs one says so and exits 2")
    @ValueSource(
            strings = {
                "status",
                "status --json",
                "results",
                "dead-letters",
                "audit",
                "generator pause",
                "generator resume",
                "generator rate 5"
            })
    void nothingRuns(String command) {
        Outcome outcome = run((command + " --run-dir " + empty).split(" "));
        assertThat(outcome.err()).contains("no stack runs below " + empty).contains("millrace up");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
    }

    @Test
    @DisplayName("the status of a stack whose plugin from outside is away shows all but what its broker would say")
    void pluginAway() {
        RunDirectory directory = RunDirectory.of(empty, "elsewhere");
        String gone = empty.resolve("gone").toString();
        PropertiesFile.write(directory.stackFile(), Map.of("broker", "elsewhere", "plugin-dir", gone));
        PropertiesFile.write(
                directory.endpointsFile(),
                StackState.of(Map.of("state", "running", "part.broker.state", StackState.FOREIGN))
                        .toProperties());
        ServerProcess supervisor =
                ServerProcess.start("supervisor", directory.supervisorFolder(), List.of("sleep", "60"), Map.of());
        try {
            Outcome outcome = run("status", "--json", "--run-dir", empty.toString());
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            assertThat(outcome.out()).contains("\"broker\":\"elsewhere\"").contains("\"brokerVersion\":null");
        } finally {
            supervisor.stop(Duration.ofSeconds(5));
        }
    }

    @ParameterizedTest
    @DisplayName("every command and sub-command has help, with the options that all have")
    @ValueSource(
            strings = {
                "status",
                "results",
                "dead-letters",
                "audit",
                "generator pause",
                "generator resume",
                "generator rate",
                "brokers"
            })
    void help(String command) {
        Outcome outcome = run((command + " --help").split(" "));
        assertThat(outcome.out()).contains("--broker", "--run-dir", "--verbose", "--help");
        assertThat(outcome.exitCode()).isZero();
    }

    @ParameterizedTest
    @DisplayName("input that makes no sense is a sentence and exit code 2")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    results --limit 0                           | --limit is 0; it must be at least 1
                    audit --wait soon                          | --wait
                    results --sql x --device y                 | --sql and --device exclude each other
                    results --sql x --view latest_per_device   | --sql and --view exclude each other
                    results --sql x --limit 5                  | --sql and --limit exclude each other
                    down --all --broker river                  | --all and --broker exclude each other
                    dead-letters --limit 0                     | --limit is 0; it must be at least 1
                    dead-letters --reason early                | --reason is 'early'
                    generator rate 0                           | the rate is 0; it must be from 1 to
                    """)
    void nonsense(String command, String sentence) {
        Outcome outcome = run((command + " --run-dir " + empty).split(" "));
        assertThat(outcome.err()).startsWith("millrace: " + sentence);
        assertThat(outcome.exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @DisplayName("what is no command line is a sentence and exit code 2")
    @ValueSource(strings = {"generator", "generator rate abc", "status --jsno"})
    void noCommandLine(String command) {
        Outcome outcome = run(command.split(" "));
        assertThat(outcome.err()).startsWith("millrace: ").doesNotContain("internal error");
        assertThat(outcome.exitCode()).isEqualTo(2);
    }

    @Test
    @DisplayName("a typo in an option is answered with the option that was meant")
    void typo() {
        assertThat(run("status", "--brokre", "river").err()).contains("did you mean '--broker'?");
    }

    @Test
    @DisplayName("brokers lists the folders of brokers/, built or not")
    void brokers() {
        Outcome outcome = run("brokers", "--run-dir", empty.toString());
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out())
                .startsWith("broker")
                .contains(Installation.here().brokers());
        assertThat(run("brokers", "--json", "--run-dir", empty.toString()).out())
                .startsWith("[{\"broker\":")
                .contains("\"stack\":\"none\"");
        String first = Installation.here().brokers().get(0);
        Outcome typo = run("brokers", "--broker", first + "x", "--run-dir", empty.toString());
        assertThat(typo.exitCode()).isEqualTo(2);
        assertThat(typo.err()).contains("there is no broker '" + first + "x'; did you mean '" + first + "'?");
    }

    @Test
    @DisplayName("completion is a shell script that knows the commands and their options")
    void completion() {
        assertThat(run("completion").out())
                .startsWith("#!/usr/bin/env bash")
                .contains("dead-letters", "--run-dir", "generator");
    }

    @Test
    @DisplayName("a device's name cannot break out of the query")
    void quoted() {
        assertThat(ResultsCommand.newest(
                        StoreTable.WINDOWS, text -> "'" + text.replace("'", "''") + "'", "x' OR '1'='1", 5))
                .isEqualTo("SELECT * FROM windows WHERE device_id = 'x'' OR ''1''=''1'"
                        + " ORDER BY window_end DESC, device_id LIMIT 5");
    }

    @Test
    @DisplayName("windows are printed with their times, counts and means")
    void windows() {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("device_id", "device-7");
        row.put("window_start", 1_000L);
        row.put("window_end", 11_000L);
        row.put("readings", 4);
        row.put("temperature_min", 1.5);
        row.put("temperature_max", 2.5);
        row.put("temperature_sum", 8.0);
        row.put("humidity_sum", 200.0);
        row.put("battery_min", 12.25);
        row.put("error_count", 0);
        assertThat(ResultsCommand.windows(List.of(row)).lines())
                .last()
                .asString()
                .matches("device-7 +1970-01-01T00:00:01Z +1970-01-01T00:00:11Z +4 +1.50 +2.00 +2.50 +50.00 +12.25 +0");
    }

    @Test
    @DisplayName("a dead letter shows reason, position, time and size, its bytes only when asked for")
    void deadLetters() {
        Map<String, Object> row = Map.of(
                "reason",
                "LATE",
                "partition",
                3,
                "position_major",
                0,
                "position_minor",
                42,
                "event_time",
                0,
                "payload",
                "00FF10");
        assertThat(DeadLettersCommand.shown(row, false).toString())
                .isEqualTo("{reason=late, partition=3, position=0:42, eventTime=1970-01-01T00:00:00Z, bytes=3}");
        assertThat(DeadLettersCommand.shown(row, true)).containsEntry("payload", "00FF10");
        assertThat(DeadLettersCommand.reasonNamed("Late")).isEqualTo("LATE");
        assertThatThrownBy(() -> DeadLettersCommand.reasonNamed("early")).isInstanceOf(UserException.class);
    }
}
