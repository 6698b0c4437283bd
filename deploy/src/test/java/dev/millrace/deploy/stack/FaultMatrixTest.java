package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.testkit.store.ClickHouseEngine;
import dev.millrace.connectors.testkit.store.HttpFaults;
import dev.millrace.connectors.testkit.store.HttpFaults.Fault;
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
 * Brokers by stores by faults, an audit after each. All of them, and an outage of a minute, with {@code
 * -Dmillrace.test.matrix=FILE}, which is then written as a page; else one broker on ClickHouse, the faults that no other test has, a
 * shorter outage, and then the second job.
 */
@Tag("server")
class FaultMatrixTest {
    private static final Duration BOUND = Duration.ofSeconds(120);
    private static final String PAGE = System.getProperty("millrace.test.matrix", "");
    private static final Duration OUTAGE = Duration.ofSeconds(PAGE.isEmpty() ? 5 : 60);
    private static final String CLICKHOUSE = "clickhouse";
    private static final List<String> ROWS = new ArrayList<>();

    @TempDir
    Path base;

    private MillraceCommand millrace;
    private HttpFaults faults;
    private ClickHouseEngine engine;

    record Pair(String broker, String store) {}

    static List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (String broker : PAGE.isEmpty() ? List.of(MillraceCommand.broker()) : MillraceCommand.brokers()) {
            for (String store : PAGE.isEmpty() ? List.of(CLICKHOUSE) : List.of("duckdb", CLICKHOUSE)) {
                pairs.add(new Pair(broker, store));
            }
        }
        return pairs;
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
        millrace = clickHouse ? direct : direct.byWayOf(URI.create(faults.url()));
        try {
            List<String> up = new ArrayList<>(List.of("up", "--broker", pair.broker(), "--store", pair.store()));
            if (clickHouse) {
                up.addAll(List.of("--store-url", faults.url()));
            }
            up.addAll(List.of("--rate", "1000", "--devices", "100", "--window", "2s", "--out-of-orderness", "2s"));
            up.addAll(List.of("--checkpoint-interval", "500ms"));
            millrace.run(up.toArray(String[]::new)).succeeded();
            StringBuilder row = new StringBuilder("| " + pair.broker() + " | " + pair.store() + " |");
            for (Named fault : faults(clickHouse)) {
                row.append(' ').append(cell(pair, fault)).append(" |");
            }
            ROWS.add(row.toString());
            if (PAGE.isEmpty()) {
                secondJob(pair);
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

    /** The same stack with the other job and its state in RocksDB: all is read again, into the other table. */
    private void secondJob(Pair pair) {
        millrace.run(
                        "up",
                        "--broker",
                        pair.broker(),
                        "--job",
                        "latest-times",
                        "--state-backend",
                        "rocksdb",
                        "--drop-state")
                .succeeded();
        assertThat(millrace.status().path("windowsStored").asLong()).isZero();
        String cell = cell(pair, new Named("TaskManager killed", () -> kill(StackState.TASK_MANAGER)));
        assertThat(cell).contains("latest times");
    }

    private static boolean isInsert(URI request) {
        return String.valueOf(request.getPath()).equals("/insert")
                || String.valueOf(request.getQuery()).contains("INSERT INTO");
    }

    private List<Named> faults(boolean clickHouse) {
        List<Named> faults = new ArrayList<>();
        if (!PAGE.isEmpty()) {
            faults.add(new Named("TaskManager killed", () -> kill(StackState.TASK_MANAGER)));
            faults.add(new Named("JobManager killed", () -> kill(StackState.JOB_MANAGER)));
            faults.add(new Named("store killed", () -> {
                if (clickHouse) {
                    engine.kill();
                    engine.restart();
                } else {
                    kill(StackState.STORE);
                }
            }));
        }
        faults.add(new Named("acknowledgements lost", () -> {
            this.faults.next(new Fault.AnswerLost(), new Fault.AnswerLost(), new Fault.AnswerLost());
            millrace.await("three answers are lost", BOUND, () -> this.faults.waiting() == 0);
        }));
        faults.add(new Named("store down " + OUTAGE.toSeconds() + " s", () -> outage(clickHouse)));
        return faults;
    }

    /** The audit says equal, or the test fails; how long it took until windows of later readings were stored. */
    private String cell(Pair pair, Named fault) {
        long begun = System.nanoTime();
        fault.hurt().run();
        long over = System.nanoTime();
        long overMillis = System.currentTimeMillis();
        millrace.await(
                "windows that end after: " + fault.name(), BOUND, () -> hasWindowsAfter(millrace.status(), overMillis));
        double seconds = (System.nanoTime() - (fault.name().startsWith("store down") ? over : begun)) / 1e9;
        String audit = millrace.run("audit").succeeded();
        String rows = audit.lines()
                .filter(line -> line.contains("exactly what the ledger says"))
                .map(line -> line.replaceAll(".*: (\\d+ [a-z ]+) of \\d+ devices.*", "$1"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(audit));
        String cell = String.format(Locale.ROOT, "equal, %s, %.0f s", rows, seconds);
        System.out.println(pair + ", " + fault.name() + ": " + cell);
        return cell;
    }

    private void kill(String part) {
        long pid = millrace.status().path("pids").path(part).asLong();
        assertThat(pid).as(part).isPositive();
        assertThat(ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly)).contains(true);
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
