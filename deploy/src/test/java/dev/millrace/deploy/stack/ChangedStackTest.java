package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.core.reading.Position;
import dev.millrace.deploy.local.Http;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class ChangedStackTest {
    private static final Duration BOUND = Duration.ofSeconds(120);

    @TempDir
    Path base;

    @TempDir
    Path anotherClone;

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    @DisplayName(
            "changed under load - parallelism, job jar, partitions, window, job - the audit stays equal and none is late")
    void changedUnderLoad() throws Exception {
        String broker = MillraceCommand.broker();
        MillraceCommand millrace = new MillraceCommand(base);
        try {
            millrace.run(
                            "up",
                            "--broker",
                            broker,
                            "--rate",
                            "500",
                            "--devices",
                            "50",
                            "--window",
                            "1s",
                            "--out-of-orderness",
                            "1s",
                            "--checkpoint-interval",
                            "300ms")
                    .succeeded();
            assertThat(millrace.run("savepoint", "--json").succeeded()).contains("\"kept\":3");

            JsonNode before = millrace.status();
            tell(broker, "2 -> 4", millrace.run("scale", "--parallelism", "4").succeeded());
            JsonNode scaled = millrace.status();
            assertThat(scaled.path("parallelism").asInt()).isEqualTo(4);
            assertSamePids(before, scaled, StackState.BROKER, StackState.STORE, StackState.GENERATOR);
            assertThat(millrace.run("scale", "--parallelism", "5").failed(2))
                    .contains("it must be from 1 to 4, the number of partitions");

            MillraceCommand built = millrace.of(ShadowClone.withAnotherJobJar(anotherClone, MillraceCommand.root()));
            String upgrade =
                    built.run("up", "--broker", broker, "--parallelism", "1").succeeded();
            assertThat(upgrade).contains("job jar: ").contains("parallelism: 4 -> 1");
            tell(broker, "4 -> 1 and another job jar", upgrade);
            assertThat(millrace.status().path("jobJarSha256").asText())
                    .isNotEqualTo(before.path("jobJarSha256").asText())
                    .hasSize(64);

            otherPorts(built, broker);
            anotherRateAfterACrash(built, broker);
            addPartitions(built, broker);
            windowNeedsStateDropped(built, broker);
        } finally {
            millrace.run("down", "--all").succeeded();
        }
        assertThat(millrace.processes()).isEmpty();
    }

    private static void otherPorts(MillraceCommand millrace, String broker) {
        int store = Ports.firstFree(28_123);
        List<String> ports = new ArrayList<>(List.of("--store-port", Integer.toString(store)));
        if (MillraceCommand.survivesKill(broker)) {
            ports.addAll(List.of("--broker-port", Integer.toString(Ports.firstFree(28_200))));
        }
        List<String> up = new ArrayList<>(List.of("up", "--broker", broker));
        up.addAll(ports);
        assertThat(millrace.run(up.toArray(String[]::new)).succeeded())
                .contains("The stack of " + broker + " is changed.");
        assertThat(millrace.directory(broker)
                        .presentState()
                        .part(StackState.STORE)
                        .url())
                .endsWith(":" + store);
        audit(millrace);
    }

    /** A generator that was killed goes on with its ledger's rate, but not where another one is asked for. */
    private static void anotherRateAfterACrash(MillraceCommand millrace, String broker) {
        StackState state = millrace.directory(broker).presentState();
        for (String part : List.of(StackState.SUPERVISOR, StackState.GENERATOR)) {
            MillraceCommand.signal(state.part(part).pid(), "KILL");
        }
        assertThat(millrace.run("up", "--broker", broker, "--rate", "600").succeeded())
                .contains("rate: 500 -> 600");
        String url = millrace.directory(broker)
                .presentState()
                .part(StackState.GENERATOR)
                .url();
        millrace.await("the generator has the new rate", BOUND, () -> Http.json(url + "/state")
                .filter(said -> said.path("targetRateReadingsPerSecond").asInt() == 600)
                .isPresent());
        assertThat(millrace.run("up", "--broker", broker, "--state-memory", "300MiB")
                        .succeeded())
                .as("the heap has no use for it")
                .contains("No process of the job had to start again.");
    }

    /** The command that orders it dies in the middle; said again, it completes it. */
    private void addPartitions(MillraceCommand millrace, String broker) throws Exception {
        String[] more = {"up", "--broker", broker, "--partitions", "8"};
        if (!can(broker, Capability.ADDS_PARTITIONS)) {
            assertThat(millrace.run(more).failed(2)).contains("this broker cannot add partitions");
            return;
        }
        assertThat(millrace.run("up", "--broker", broker, "--partitions", "8", "--broker.typo=1")
                        .failed(2))
                .contains("unknown key 'typo'");
        assertThat(ends(millrace, broker)).as("none were added").hasSize(4);
        Process dies = millrace.start(Files.createTempFile(base, "up", ".out"), more);
        Path ordered = millrace.directory(broker).path().resolve("previous.properties");
        millrace.await("the change is ordered", BOUND, () -> Files.exists(ordered) || !dies.isAlive());
        dies.destroyForcibly();
        assertThat(dies.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(dies.exitValue()).as("killed, not done").isEqualTo(128 + 9);
        millrace.run(more).succeeded();
        assertThat(ordered).doesNotExist();
        assertThat(millrace.run(more).succeeded()).contains("nothing changed");
        assertThat(millrace.run("up", "--broker", broker, "--partitions", "4").failed(2))
                .contains("cannot be taken away");
        millrace.await(
                "readings are in every partition",
                BOUND,
                () -> ends(millrace, broker).values().stream()
                                .filter(end -> end.compareTo(new Position(0, 0)) > 0)
                                .count()
                        == 8);
        audit(millrace);
    }

    private static void windowNeedsStateDropped(MillraceCommand millrace, String broker) {
        String[] another = {"up", "--broker", broker, "--window", "2s"};
        assertThat(millrace.run(another).failed(2))
                .contains("window: 1s -> 2s: open windows and stored rows were made with it")
                .contains("--drop-state");
        String dry = millrace.run("up", "--broker", broker, "--window", "2s", "--drop-state", "--dry-run")
                .succeeded();
        assertThat(dry).contains("window: 1s -> 2s").contains("Nothing was changed");
        JsonNode before = millrace.status();
        for (String typo : List.of("--broker.typo=1", "--store.typo=1")) {
            assertThat(millrace.run("up", "--broker", broker, "--window", "2s", "--drop-state", typo)
                            .failed(2))
                    .contains("unknown key 'typo'");
        }
        JsonNode after = millrace.status();
        assertThat(after.path("pids")).isEqualTo(before.path("pids"));
        assertThat(after.path("windowsStored").asLong())
                .isGreaterThanOrEqualTo(before.path("windowsStored").asLong())
                .isPositive();
        audit(millrace);
        anotherJob(millrace, broker);
    }

    /** The other job with its state in RocksDB and another window: all is read again, into the other table. */
    private static void anotherJob(MillraceCommand millrace, String broker) {
        millrace.run(
                        "up",
                        "--broker",
                        broker,
                        "--window",
                        "2s",
                        "--job",
                        "latest-times",
                        "--state-backend",
                        "rocksdb",
                        "--drop-state")
                .succeeded();
        assertThat(millrace.directory(broker).settings().map(StackSettings::window))
                .contains(Duration.ofSeconds(2));
        JsonNode stored = millrace.status().path("windowsStored");
        assertThat(stored.isNumber()).as("windowsStored is " + stored).isTrue();
        assertThat(stored.asLong()).isZero();
        long pid = millrace.status().path("pids").path(StackState.TASK_MANAGER).asLong();
        assertThat(ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly)).contains(true);
        long killedMillis = System.currentTimeMillis();
        millrace.await("latest times of after the kill", BOUND, () -> {
            String end = millrace.status().path("lastWindowEnd").asText("");
            return end.endsWith("Z") && Instant.parse(end).toEpochMilli() > killedMillis;
        });
        assertThat(millrace.run("audit").succeeded())
                .containsPattern("exactly what the ledger says: \\d+ latest times");
    }

    private static void audit(MillraceCommand millrace) {
        String audit = millrace.run("audit").succeeded();
        assertThat(audit.lines().filter(line -> line.matches("\\s*late\\s+0"))).isNotEmpty();
        assertThat(millrace.run("dead-letters").succeeded()).contains("no dead letters");
        System.out.println(audit.lines().reduce((first, last) -> last).orElse(""));
    }

    private static Map<Integer, Position> ends(MillraceCommand millrace, String broker) {
        StackState state = millrace.directory(broker).state().orElseThrow();
        String topic = millrace.directory(broker).settings().orElseThrow().topic();
        return MillraceCommand.withPlugin(broker, plugin -> {
            try (BrokerClient client = plugin.connect(state.brokerOptions())) {
                return client.endPositions(topic);
            }
        });
    }

    private static boolean can(String broker, Capability capability) {
        return MillraceCommand.withPlugin(
                broker, plugin -> plugin.capabilities().contains(capability));
    }

    private static void assertSamePids(JsonNode before, JsonNode after, String... parts) {
        for (String part : parts) {
            assertThat(after.path("pids").path(part).asLong())
                    .as(part + " is not concerned and goes on")
                    .isEqualTo(before.path("pids").path(part).asLong());
        }
    }

    private static void tell(String broker, String what, String output) {
        assertThat(output).contains("The output paused for ");
        output.lines()
                .filter(line -> line.startsWith("The output paused"))
                .forEach(line -> System.out.println(broker + ", " + what + ": " + line));
    }
}
