package dev.millrace.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.core.audit.IndexRanges;
import dev.millrace.core.audit.Ledger;
import dev.millrace.core.audit.LedgerFile;
import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.reading.Position;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.settings.Options;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands that read a store, on a real one that was filled by hand: four windows of twenty devices. */
@Tag("server")
class StoreCommandsTest {
    private static final long START_MILLIS = 1_700_000_000_000L;
    private static final int READINGS = 20_000;
    private static final long RATE = 500;
    private static final long WINDOW_MILLIS = 10_000;
    private static final GeneratorSettings READING_SETTINGS = new GeneratorSettings(1, 20, 0, 300, 1, 0, 0, 5000);

    @TempDir
    Path base;

    private LocalStore local;
    private StoreClient store;

    private record Outcome(int exitCode, String out, String err) {}

    private Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Millrace.commandLine();
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--run-dir";
        all[arguments.length + 1] = base.toString();
        return new Outcome(line.execute(all), out.toString(), err.toString());
    }

    @BeforeEach
    void stack() {
        RunDirectory directory = RunDirectory.of(base, "river");
        StackSettings settings = StackSettings.bind(
                "test",
                Options.of(Map.of("broker", "river", "devices", "20", "rate", Long.toString(RATE), "window", "10s")));
        local = ResultStores.named(settings.store())
                .startLocal(directory.storeFolder(), Options.of(Map.of("memory", "640MiB")));
        PropertiesFile.write(directory.stackFile(), settings.values().asMap());
        StackState.Part part = new StackState.Part(local.pid(), "running", 0, local.url(), "", "");
        PropertiesFile.write(
                directory.endpointsFile(),
                new StackState(
                                StackState.State.RUNNING,
                                "",
                                "ab12",
                                0,
                                Map.of(StackState.STORE, part),
                                "",
                                Options.none(),
                                local.options())
                        .toProperties());
        store = ResultStores.named(settings.store()).connect(local.options());
        store.prepare();
        ledger(directory.generatorFolder(), READING_SETTINGS);
    }

    @AfterEach
    void stop() {
        store.close();
        local.close();
    }

    private static void ledger(Path folder, GeneratorSettings settings) {
        try (LedgerFile file = LedgerFile.open(folder, settings)) {
            Schedule schedule = Schedule.constant(START_MILLIS * 1000, RATE);
            schedule.segments().forEach(file::append);
            file.snapshot(new Ledger(
                    settings,
                    schedule,
                    Ledger.State.STOPPED,
                    System.currentTimeMillis(),
                    READINGS,
                    IndexRanges.of(0, READINGS),
                    Map.of()));
        }
    }

    /** What the job would store, without the reading {@code lost}. */
    private void fill(long lost) {
        fill(lost, START_MILLIS + 40_000);
    }

    private void fill(long lost, long completeTo) {
        ReadingGenerator generator =
                new ReadingGenerator(READING_SETTINGS, Schedule.constant(START_MILLIS * 1000, RATE));
        Map<Long, Map<String, Accumulator>> windows = new TreeMap<>();
        Reading reading = new Reading();
        for (long index = 0; index < READINGS; index++) {
            if (index != lost) {
                generator.reading(index, reading);
                long end = Math.floorDiv(reading.eventTime, WINDOW_MILLIS) * WINDOW_MILLIS + WINDOW_MILLIS;
                windows.computeIfAbsent(end, e -> new TreeMap<>())
                        .computeIfAbsent(reading.deviceId, d -> new Accumulator())
                        .add(reading);
            }
        }
        RowBinary.Encoder encoder = new RowBinary.Encoder(1 << 16);
        windows.forEach((end, devices) -> devices.forEach(
                (device, values) -> encoder.add(new DeviceWindow(device, end - WINDOW_MILLIS, end, values))));
        store.insert(new StoreBlock(StoreTable.WINDOWS, "w", 0, 1, completeTo - 1, encoder.rows(), encoder.take()));
    }

    private void deadLetter() {
        RowBinary.Encoder encoder = new RowBinary.Encoder(1 << 8);
        encoder.add(new DeadLetter(
                DeadLetter.Reason.UNDECODABLE,
                3,
                new Position(0, 42),
                START_MILLIS,
                "no reading".getBytes(StandardCharsets.UTF_8)));
        store.insert(new StoreBlock(
                StoreTable.DEAD_LETTERS, "d", 0, 1, START_MILLIS + 40_000 - 1, encoder.rows(), encoder.take()));
    }

    @Test
    @DisplayName("audit passes on what the ledger says, and says what it checked")
    void auditPasses() throws IOException {
        fill(-1);
        deadLetter();
        Outcome outcome = run("audit");
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out())
                .contains("from                 the beginning")
                .contains("The store holds exactly what the ledger says: 80 windows of 20 devices");
        JsonNode json = new ObjectMapper().readTree(run("audit", "--json").out());
        assertThat(json.path("ok").asBoolean()).isTrue();
        assertThat(json.path("readingsChecked").asLong()).isEqualTo(READINGS);
        assertThat(json.path("undecodable").asLong()).isEqualTo(1);
        assertThat(run("status").out()).containsPattern("audit +equal at .*: The store holds exactly");
    }

    @Test
    @DisplayName(
            "audit leaves windows out whose late readings may be on their way from a generator that others did not wait for")
    void auditAmongOtherGenerators() throws IOException {
        amongOthers();
        // The last reading is acknowledged, came late, and its letter waits for a checkpoint.
        fill(READINGS - 1, START_MILLIS + 40_000 + 60_000);
        Outcome outcome = run("audit", "--json");
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        JsonNode audit = new ObjectMapper().readTree(outcome.out());
        assertThat(audit.path("windowsChecked").asLong()).isEqualTo(60);
        assertThat(audit.path("to").asLong()).isLessThan(START_MILLIS + 40_000);
    }

    @Test
    @DisplayName("audit waits for late readings of the first windows for longer than for the windows")
    void auditWaitsForLateReadings() throws Exception {
        amongOthers();
        fill(-1);
        Thread others = new Thread(() -> {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(3));
            store.insert(new StoreBlock(
                    StoreTable.WINDOWS, "later", 0, 1, START_MILLIS + 40_000 + 60_000 - 1, 0, new byte[0]));
        });
        others.start();
        Outcome outcome = run("audit", "--json", "--wait", "1s");
        others.join();
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
    }

    /** As {@link #stack}, but that other generators send to its topic, too. */
    private void amongOthers() throws IOException {
        Path folder = RunDirectory.of(base, "river").generatorFolder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        ledger(folder, new GeneratorSettings(1, 20, 0, 40, 0, 300, 1, 0, 0, 5000));
    }

    @Test
    @DisplayName("audit fails with exit code 1 when one reading of 20,000 is lost, and names the window")
    void auditFails() throws IOException {
        fill(7_777);
        Outcome outcome = run("audit");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out()).contains("1 reading lost").contains("is different");
        JsonNode audit =
                new ObjectMapper().readTree(run("status", "--json").out()).path("audit");
        assertThat(audit.path("equal").asBoolean(true)).isFalse();
        assertThat(audit.path("different").asLong()).isEqualTo(1);
    }

    @Test
    @DisplayName("an audit that could check nothing fails after its wait")
    void auditOfNothing() {
        Outcome outcome = run("audit", "--wait", "1s");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out()).contains("checked nothing");
    }

    @Test
    @DisplayName("audit --topic on a stack without a result topic is a sentence")
    void noTopic() {
        Outcome outcome = run("audit", "--topic");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("--results topic");
    }

    @Test
    @DisplayName("results shows the newest windows, of one device when asked, as a table, JSON or by a query")
    void results() {
        fill(-1);
        String device = GeneratorSettings.of(1, 10).deviceId(7);
        Outcome outcome = run("results", "--device", device, "--limit", "3");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines()).hasSize(4).last().asString().startsWith(device);
        assertThat(run("results", "--limit", "2", "--json").out().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).startsWith("{").contains("\"temperature_sum\":"));
        assertThat(run("results", "--sql", "SELECT sum(readings) AS n FROM windows")
                        .out())
                .matches("(?s)\\s*n\\s+20000\\s+");
        assertThat(run("results", "--device", "nobody").out()).isEqualTo("no rows\n");
    }

    @Test
    @DisplayName("a query that is wrong, or that would write, is refused with the store's words and exit code 2")
    void wrongQuery() {
        fill(-1);
        assertThat(run("results", "--sql", "SELECT nonsense FROM windows"))
                .satisfies(outcome -> assertThat(outcome.exitCode()).isEqualTo(2))
                .satisfies(outcome -> assertThat(outcome.err()).contains("nonsense"));
        assertThat(run("results", "--sql", "DELETE FROM windows").exitCode()).isEqualTo(2);
        assertThat(store.extent().windows()).isEqualTo(80);
    }

    @Test
    @DisplayName("dead-letters counts by reason and shows where each was read")
    void deadLetters() {
        assertThat(run("dead-letters").out()).isEqualTo("no dead letters\n");
        deadLetter();
        Outcome outcome = run("dead-letters", "--reason", "undecodable", "--payload");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("0:42", "2023-11-14T22:13:20Z", "6E6F2072656164696E67");
        assertThat(run("dead-letters", "--json").out())
                .contains("\"reason\":\"undecodable\"", "\"bytes\":10")
                .doesNotContain("payload");
        assertThat(run("dead-letters", "--reason", "late", "--json").out()).isEmpty();
    }

    @Test
    @DisplayName("status of a stack whose other processes are gone shows what is still known and says what to do")
    void status() throws IOException {
        fill(-1);
        JsonNode json = new ObjectMapper().readTree(run("status", "--json").out());
        assertThat(json.path("state").asText()).isEqualTo("recovering");
        assertThat(json.path("windowsStored").asLong()).isEqualTo(80);
        assertThat(json.path("lastWindowEnd").asText()).isEqualTo("2023-11-14T22:14:00Z");
        assertThat(json.path("lag").isNull()).isTrue();
        assertThat(json.path("pids").path("store").asLong()).isEqualTo(local.pid());
        assertThat(json.path("usedCores").has("store")).isTrue();
        assertThat(run("status").out()).contains("the supervisor is gone");
    }
}
