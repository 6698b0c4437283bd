package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.testkit.store.ClickHouseEngine;
import dev.millrace.connectors.testkit.store.HttpFaults;
import dev.millrace.connectors.testkit.store.HttpFaults.Fault;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Brokers by stores by faults: the stack recovers by itself, the audit is equal, none is late. All of them, an audit after each and an
 * outage of a minute, with {@code -Dmillrace.test.matrix=FILE}, which is then written as a page; else each broker whose server may be
 * killed in a stack of its own, the first of them on ClickHouse, with a part of the faults and an audit at the end. Together they see
 * every fault; {@code -Dmillrace.test.broker=NAME} gives all of them to one.
 */
@Tag("server")
class FaultMatrixTest {
    private static final Duration BOUND = Duration.ofSeconds(120);
    private static final String PAGE = System.getProperty("millrace.test.matrix", "");
    private static final Duration OUTAGE = Duration.ofSeconds(PAGE.isEmpty() ? 5 : 60);
    /** Several times the out-of-orderness; the contract's silence is longer than any time-out. */
    private static final Duration SILENCE = Duration.ofSeconds(8);

    private static final String CLICKHOUSE = "clickhouse";
    private static final String DUCKDB = "duckdb";
    private static final List<String> ROWS = new ArrayList<>();

    @TempDir
    Path base;

    private MillraceCommand millrace;
    private RunDirectory directory;
    private HttpFaults faults;
    private ClickHouseEngine engine;
    private long silentPid;

    record Pair(String broker, String store) {}

    static List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        if (PAGE.isEmpty()) {
            brokers().forEach(broker -> pairs.add(new Pair(broker, pairs.isEmpty() ? CLICKHOUSE : DUCKDB)));
            return pairs;
        }
        for (String broker : MillraceCommand.brokers()) {
            for (String store : List.of(DUCKDB, CLICKHOUSE)) {
                pairs.add(new Pair(broker, store));
            }
        }
        return pairs;
    }

    private static List<String> brokers() {
        String named = System.getProperty("millrace.test.broker");
        return named == null ? MillraceCommand.durableBrokers() : List.of(named);
    }

    /** What is done to a running stack; returns when it is over, not when the stack has recovered. */
    private interface Hurt {
        void run();
    }

    private record Named(String name, Hurt hurt) {}

    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void everyFault(Pair pair) throws IOException {
        boolean clickHouse = pair.store().equals(CLICKHOUSE);
        engine = clickHouse ? ClickHouseEngine.start(Files.createDirectories(base.resolve("engine"))) : null;
        // What is asked for by a proxy's way names its server itself.
        faults = new HttpFaults(clickHouse ? engine.url() : "http://127.0.0.1:1", FaultMatrixTest::isInsert);
        MillraceCommand direct = new MillraceCommand(base);
        directory = direct.directory(pair.broker());
        millrace = clickHouse || PAGE.isEmpty() ? direct : direct.byWayOf(URI.create(faults.url()));
        try {
            List<String> up = new ArrayList<>(List.of("up", "--broker", pair.broker(), "--store", pair.store()));
            if (clickHouse) {
                up.addAll(List.of("--store-url", faults.url()));
            }
            up.addAll(
                    PAGE.isEmpty()
                            ? List.of(
                                    "--rate",
                                    "500",
                                    "--devices",
                                    "50",
                                    "--results",
                                    "topic",
                                    "--retention-bytes",
                                    "512MiB")
                            : List.of("--rate", "1000", "--devices", "100"));
            up.addAll(List.of("--window", "2s", "--out-of-orderness", "2s", "--checkpoint-interval", "500ms"));
            millrace.run(up.toArray(String[]::new)).succeeded();
            StringBuilder row = new StringBuilder("| " + pair.broker() + " | " + pair.store() + " |");
            for (Named fault : PAGE.isEmpty() ? share(pair) : faultsOfPage(clickHouse)) {
                row.append(' ').append(cell(pair, fault)).append(" |");
            }
            ROWS.add(row.toString());
            if (PAGE.isEmpty()) {
                assertThat(pid(StackState.BROKER))
                        .as("nobody restarted a broker that was only silent")
                        .isEqualTo(silentPid);
                String audit = millrace.run("audit", "--topic").succeeded();
                assertThat(audit.lines().filter(line -> line.matches("\\s*late\\s+0")))
                        .as(audit)
                        .isNotEmpty();
                assertThat(millrace.run("dead-letters").succeeded()).contains("no dead letters");
            }
        } finally {
            millrace.run("down", "--all").succeeded();
            faults.close();
            if (engine != null) {
                engine.close();
            }
        }
        assertThat(millrace.processes()).isEmpty();
    }

    private static boolean isInsert(URI request) {
        return String.valueOf(request.getPath()).equals("/insert")
                || String.valueOf(request.getQuery()).contains("INSERT INTO");
    }

    /** The broker's own faults, and of the others, which are the same on every broker, this broker's share. */
    private List<Named> share(Pair pair) {
        boolean clickHouse = pair.store().equals(CLICKHOUSE);
        List<Named> others = List.of(
                killed("TaskManager", StackState.TASK_MANAGER),
                killed("JobManager", StackState.JOB_MANAGER),
                killed("generator", StackState.GENERATOR),
                storeKilled(clickHouse));
        List<Named> share = new ArrayList<>();
        int brokers = brokers().size();
        for (int i = brokers().indexOf(pair.broker()); i < others.size(); i += brokers) {
            share.add(others.get(i));
        }
        share.add(killed("broker", StackState.BROKER));
        share.add(new Named("broker silent " + SILENCE.toSeconds() + " s", this::silence));
        if (clickHouse) {
            share.add(acknowledgementsLost());
            share.add(storeDown(true));
        }
        return share;
    }

    private List<Named> faultsOfPage(boolean clickHouse) {
        return List.of(
                killed("TaskManager", StackState.TASK_MANAGER),
                killed("JobManager", StackState.JOB_MANAGER),
                storeKilled(clickHouse),
                acknowledgementsLost(),
                storeDown(clickHouse));
    }

    private Named killed(String name, String part) {
        return new Named(name + " killed", () -> kill(part));
    }

    private Named storeKilled(boolean clickHouse) {
        return new Named("store killed", () -> {
            if (clickHouse) {
                engine.kill();
                engine.restart();
            } else {
                kill(StackState.STORE);
            }
        });
    }

    private Named acknowledgementsLost() {
        return new Named("acknowledgements lost", () -> {
            this.faults.next(new Fault.AnswerLost(), new Fault.AnswerLost(), new Fault.AnswerLost());
            millrace.await("three answers are lost", BOUND, () -> this.faults.waiting() == 0);
        });
    }

    private Named storeDown(boolean clickHouse) {
        return new Named("store down " + OUTAGE.toSeconds() + " s", () -> outage(clickHouse));
    }

    /** How long it took until windows of later readings were stored; for the page an audit, which says equal, or the test fails. */
    private String cell(Pair pair, Named fault) {
        long begun = System.nanoTime();
        fault.hurt().run();
        long over = System.nanoTime();
        long overMillis = System.currentTimeMillis();
        millrace.await(
                "windows that end after: " + fault.name(), BOUND, () -> hasWindowsAfter(millrace.status(), overMillis));
        double seconds = (System.nanoTime() - (fault.name().startsWith("store down") ? over : begun)) / 1e9;
        String rows = PAGE.isEmpty() ? "new windows" : "equal, " + auditedRows();
        String cell = String.format(Locale.ROOT, "%s, %.0f s", rows, seconds);
        System.out.println(pair + ", " + fault.name() + ": " + cell);
        return cell;
    }

    private String auditedRows() {
        String audit = millrace.run("audit").succeeded();
        return audit.lines()
                .filter(line -> line.contains("exactly what the ledger says"))
                .map(line -> line.replaceAll(".*: (\\d+ [a-z ]+) of \\d+ devices.*", "$1"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(audit));
    }

    /** SIGKILL; returns when another process stands there. */
    private void kill(String part) {
        long pid = pid(part);
        assertThat(pid).as(part).isPositive();
        assertThat(ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly)).contains(true);
        millrace.await("another " + part, BOUND, () -> pid(part) > 0 && pid(part) != pid);
    }

    private long pid(String part) {
        return directory.state().map(state -> state.part(part).pid()).orElse(0L);
    }

    /** SIGSTOP of the broker, SIGCONT. */
    private void silence() {
        silentPid = pid(StackState.BROKER);
        MillraceCommand.signal(silentPid, "STOP");
        LockSupport.parkNanos(SILENCE.toNanos());
        MillraceCommand.signal(silentPid, "CONT");
    }

    /** A store's own process comes again by itself: it is killed as often as it does. */
    private void outage(boolean clickHouse) {
        long deadline = System.nanoTime() + OUTAGE.toNanos();
        if (clickHouse) {
            engine.kill();
            LockSupport.parkNanos(OUTAGE.toNanos());
            engine.restart();
            return;
        }
        while (System.nanoTime() < deadline) {
            long pid = millrace.status().path("pids").path(StackState.STORE).asLong();
            if (pid > 0) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    private static boolean hasWindowsAfter(JsonNode status, long millis) {
        String end = status.path("lastWindowEnd").asText("");
        return !end.isEmpty() && !end.equals("null") && Instant.parse(end).toEpochMilli() > millis;
    }

    @AfterAll
    static void writePage() throws IOException {
        if (PAGE.isEmpty()) {
            return;
        }
        List<String> page = new ArrayList<>(List.of(
                "# Faults",
                "",
                "Written by `mvn verify -pl deploy -am -Dit.test=FaultMatrixTest -Dmillrace.test.matrix=FILE`. A stack of each"
                        + " broker on each store (1,000 readings/s, 100 devices, windows of 2 s, checkpoints every 500 ms)"
                        + " is hurt five times. A cell is the audit after a fault, all windows from the beginning on, and the"
                        + " time from the fault (where the store is down: from its return) until a window was stored that ended"
                        + " after it. ClickHouse is its current engine behind HTTP, DuckDB is killed again and again while it"
                        + " is to be down.",
                "",
                "| broker | store | TaskManager killed | JobManager killed | store killed | acknowledgements lost | store down "
                        + OUTAGE.toSeconds() + " s |",
                "|---|---|---|---|---|---|---|"));
        page.addAll(ROWS);
        Files.write(Path.of(PAGE), page);
    }
}
