package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that the test starts stands for the person's own: no stack knows of its process. */
@Tag("server")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ForeignBrokerTest {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final String FOREIGN_TOPIC = "orders";

    @TempDir
    static Path base;

    private static final String NAME = MillraceCommand.broker();

    private static LocalBroker server;

    @BeforeAll
    static void startServer() {
        server = MillraceCommand.withPlugin(NAME, plugin -> {
            LocalBroker started = plugin.startLocal(base.resolve("own"), Options.none());
            try (BrokerClient client = plugin.connect(started.options())) {
                client.createTopic(small(FOREIGN_TOPIC, 3));
            }
            return started;
        });
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    @DisplayName("a broker of one's own is used, waited for and left as it was; the stack's topics go and no other")
    void ownBroker() throws IOException {
        MillraceCommand millrace = new MillraceCommand(base.resolve("run"));
        Path settings = Files.writeString(
                base.resolve("stack.properties"),
                "rate=500\ndevices=50\nwindow=2s\nout-of-orderness=1s\nresults=topic\nretention-bytes=256MiB\naddress="
                        + server.address() + "\n" + String.join("\n", besidesAddress("broker.")));
        String[] up = {"up", "--broker", NAME, "--settings", settings.toString()};
        RunDirectory directory = millrace.directory(NAME);
        StackSettings stack;
        try {
            assertThat(millrace.run(up).succeeded()).contains("your own");
            assertThat(millrace.run(up).succeeded()).contains("nothing changed");
            stack = directory.settings().orElseThrow();
            assertThat(directory.state().orElseThrow().part(StackState.BROKER).pid())
                    .isZero();
            assertThat(millrace.run("status").succeeded()).contains(server.address() + ", your own");
            assertThat(millrace.run("logs", StackState.BROKER).failed(2)).contains("is your own");
            assertThat(partitions(FOREIGN_TOPIC, stack.topic(), stack.resultsTopic()))
                    .containsExactly(3, 4, 4);

            outage(millrace);
            millrace.run("audit", "--topic").succeeded();
            onlyTheOwnerReads(directory);
            notChangedWhileItIsAway(millrace, directory);
        } finally {
            assertThat(millrace.run("down").succeeded()).contains("is your own");
        }
        assertThat(millrace.processes()).isEmpty();
        assertThat(server.isAlive()).isTrue();
        assertThat(partitions(FOREIGN_TOPIC, stack.topic(), stack.resultsTopic()))
                .containsExactly(3, 0, 0);
    }

    @Test
    @DisplayName("what a broker of one's own lacks, or has already, is one sentence, and nothing is left on it or here")
    void refused() {
        MillraceCommand millrace = new MillraceCommand(base.resolve("refused"));
        String[] up = with(
                new String[] {"up", "--broker", NAME, "--address", server.address(), "--topic-prefix", "team-"},
                besidesAddress("--broker.").toArray(String[]::new));
        assertThat(millrace.run(with(up, "--payload-bytes", "9000000")).failed(2))
                .contains("'payload-bytes' is 9000000, but the broker at " + server.address());
        assertThat(millrace.run(with(up, "--replicas", "3")).failed(2)).containsIgnoringCase("replica");
        assertThat(partitions("team-check", "team-readings")).containsExactly(0, 0);

        MillraceCommand.withPlugin(NAME, plugin -> {
            try (BrokerClient client = plugin.connect(server.options())) {
                client.createTopic(small("team-readings", 2));
                return client;
            }
        });
        assertThat(millrace.run(up).failed(2)).contains("topic 'team-readings'", "choose another --topic-prefix");
        assertThat(partitions("team-check", "team-readings")).containsExactly(0, 2);
        assertThat(millrace.directory(NAME).stackFile()).doesNotExist();
        assertThat(millrace.processes()).isEmpty();
    }

    /** Beside which a stack has room on a server that keeps topics in its memory. */
    private static TopicSpec small(String name, int partitions) {
        return new TopicSpec(name, partitions, 1, 64 << 20, Duration.ofHours(1));
    }

    /** What else a person must say to reach this server, its ports not being the well-known ones. */
    private static List<String> besidesAddress(String prefix) {
        return server.options().asMap().entrySet().stream()
                .filter(option -> !option.getKey().equals("address"))
                .map(option -> prefix + option.getKey() + "=" + option.getValue())
                .toList();
    }

    private static String[] with(String[] up, String... more) {
        return Stream.concat(Stream.of(up), Stream.of(more)).toArray(String[]::new);
    }

    /** The server says nothing for a while: generator and job go on by themselves, in the same processes. */
    private static void outage(MillraceCommand millrace) {
        String before = millrace.status().path("pids").toString();
        server.pause();
        long silent = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        millrace.await("the broker was silent for 5 s", BOUND, () -> System.nanoTime() > silent);
        server.resume();
        // A window that ends after it holds readings that were sent after it.
        long resumedMillis = System.currentTimeMillis();
        millrace.await("windows that end after the outage", BOUND, () -> {
            String end = millrace.status().path("lastWindowEnd").asText("");
            return end.endsWith("Z") && Instant.parse(end).toEpochMilli() > resumedMillis;
        });
        assertThat(millrace.status().path("pids").toString()).isEqualTo(before);
    }

    private static void notChangedWhileItIsAway(MillraceCommand millrace, RunDirectory directory) {
        StackState before = directory.presentState();
        server.pause();
        try {
            assertThat(millrace.run("up", "--broker", NAME, "--rate", "400").failed(3))
                    .contains("nothing was changed");
        } finally {
            server.resume();
        }
        assertThat(directory.presentState().part(StackState.SUPERVISOR).pid())
                .isEqualTo(before.part(StackState.SUPERVISOR).pid());
        assertThat(directory.settings().map(settings -> settings.text("rate"))).contains("500");
        assertThat(directory.previousFile()).doesNotExist();
    }

    /** How many partitions the topics have; 0: not there. */
    private static List<Integer> partitions(String... topics) {
        return MillraceCommand.withPlugin(NAME, plugin -> {
            try (BrokerClient client = plugin.connect(server.options())) {
                return Stream.of(topics).map(client::partitions).toList();
            }
        });
    }

    private static void onlyTheOwnerReads(RunDirectory directory) throws IOException {
        if (!Files.getFileStore(directory.path()).supportsFileAttributeView("posix")) {
            return;
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.path())))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.walk(directory.path(), 3)) {
            List<Path> holdHowToReachIt = files.filter(file -> file.toString().endsWith(".properties"))
                    .filter(ForeignBrokerTest::namesTheServer)
                    .toList();
            assertThat(holdHowToReachIt)
                    .extracting(file -> file.getFileName().toString())
                    .contains("stack.properties", "endpoints.properties", "generator.properties", "job.properties");
            assertThat(holdHowToReachIt)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    private static boolean namesTheServer(Path file) {
        try {
            return Files.readString(file).contains(server.address());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
