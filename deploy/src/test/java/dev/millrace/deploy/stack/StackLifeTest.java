package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.testkit.monitoring.MetricTable;
import dev.millrace.core.reading.Position;
import dev.millrace.deploy.local.Http;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class StackLifeTest {
    @TempDir
    Path base;

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    @DisplayName("an up that is ended while it starts undoes what it did, and calls that no failure")
    void endedWhileItStarts() throws Exception {
        String broker = MillraceCommand.broker();
        MillraceCommand millrace = new MillraceCommand(base);
        RunDirectory directory = millrace.directory(broker);
        Path output = base.resolve("up.out");
        Process up = millrace.start(output, "up", "--broker", broker);
        try {
            millrace.await("the broker starts", Duration.ofSeconds(60), () -> directory
                    .state()
                    .filter(state -> state.state() == StackState.State.STARTING)
                    .isPresent());
            MillraceCommand.signal(up.pid(), "TERM");
            assertThat(up.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(up.exitValue()).isEqualTo(128 + 15);
            assertThat(Files.readString(output))
                    .contains("Stopping what was started")
                    .doesNotContain("millrace: ", "Exception");
            assertThat(millrace.processes()).isEmpty();
            assertThat(directory.stackFile()).doesNotExist();
        } finally {
            up.destroyForcibly();
            millrace.run("down", "--all").succeeded();
        }
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    @DisplayName("a folder of a person's that has the broker's name is no run directory, and stays as it is")
    void aFolderOfOnesOwn() throws IOException {
        String broker = MillraceCommand.broker();
        MillraceCommand millrace = new MillraceCommand(base);
        Path theirs = Files.createDirectories(base.resolve(broker).resolve("topic-0"));
        var rights = Files.getPosixFilePermissions(base.resolve(broker));
        assertThat(millrace.run("up", "--broker", broker).failed(2))
                .contains(base.resolve(broker) + ", which holds topic-0, and that is no stack's")
                .contains("--run-dir");
        assertThat(Files.getPosixFilePermissions(base.resolve(broker))).isEqualTo(rights);
        assertThat(base.resolve(broker)).isDirectoryContaining(path -> path.equals(theirs));
        try (Stream<Path> entries = Files.list(base.resolve(broker))) {
            assertThat(entries).hasSize(1);
        }
    }

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    @DisplayName(
            "a stack comes up with rows, says so when asked again, resumes with its data, and leaves nothing but logs")
    void aStacksLife() throws IOException {
        String broker = MillraceCommand.broker();
        // As people call folders, and clones in them; Flink and each server have their own way to read a path.
        Path runs = base.resolve("someone's runs 5%20 #1");
        MillraceCommand millrace = new MillraceCommand(runs);
        String[] up = {
            "up", "--broker", broker, "--rate", "500", "--devices", "50", "--window", "2s", "--out-of-orderness", "1s"
        };
        try {
            assertThat(millrace.run("up", "--broker", broker, "--dry-run").succeeded())
                    .contains("Would start a stack in ");
            assertThat(runs).isEmptyDirectory();
            assertThat(millrace.run(up).succeeded()).contains("windows stored").contains("millrace down");
            RunDirectory directory = millrace.directory(broker);
            thePageShows(broker, directory);
            List<Long> pids = pids(directory);
            everyProcessHasMetricsThatMove(millrace, directory);
            alertsAndDashboardsFindTheirMetrics(directory);

            assertThat(millrace.run(up).succeeded()).contains("nothing changed");
            assertThat(pids(directory)).isEqualTo(pids);

            assertThat(millrace.run("up", "--broker", broker, "--devices", "60").failed(2))
                    .contains("devices: 50 -> 60")
                    .contains("millrace down --broker " + broker);

            publish(broker, directory, "no reading at all");
            millrace.await("the payload is a dead letter", Duration.ofSeconds(30), () -> millrace.run("dead-letters")
                    .succeeded()
                    .contains("undecodable"));

            if (MillraceCommand.survivesKill(broker)) {
                millrace.run("down", "--keep-data").succeeded();
                assertThat(millrace.processes()).isEmpty();
                Files.writeString(directory.deletingMark(), "");
                assertThat(millrace.run("up", "--broker", broker, "--dry-run").succeeded())
                        .contains("the rest would be deleted", "Would start a stack in ");
                Files.delete(directory.deletingMark());
                assertThat(millrace.run(up).succeeded()).contains("resumes");
            } else {
                millrace.run("down", "--keep-data").failed(2);
            }
            whatRunsUnwatchedOutlivesAnUpThatFails(millrace, directory, up);
            millrace.run("audit").succeeded();
            assertThat(millrace.run("status").succeeded()).contains("audit     equal at ");
        } finally {
            millrace.run("down", "--all").succeeded();
        }
        assertThat(millrace.processes()).isEmpty();
        try (Stream<Path> left = Files.list(runs.resolve(broker))) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactly("logs");
        }
        // What every checkpoint says again drives what matters out of a log of a few files.
        assertThat(Files.readString(runs.resolve(broker).resolve("logs/taskmanager.log")))
                .contains(" INFO ")
                .doesNotContain("Name collision");
    }

    private static void whatRunsUnwatchedOutlivesAnUpThatFails(
            MillraceCommand millrace, RunDirectory directory, String[] up) throws IOException {
        int port = URI.create(directory
                        .state()
                        .orElseThrow()
                        .part(StackState.SUPERVISOR)
                        .url())
                .getPort();
        directory.supervisor().orElseThrow().kill();
        List<Long> unwatched =
                directory.processes().stream().map(ServerProcess::pid).sorted().toList();
        assertThat(unwatched).hasSizeGreaterThan(3);
        List<String> onThatPort = new ArrayList<>(List.of(up));
        onThatPort.addAll(List.of("--supervisor-port", Integer.toString(port)));
        try (ServerSocket stranger = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(millrace.run(onThatPort.toArray(String[]::new)).failed(2))
                    .contains("What ran before runs on, unwatched.", Integer.toString(stranger.getLocalPort()));
        }
        assertThat(directory.processes().stream()
                        .map(ServerProcess::pid)
                        .sorted()
                        .toList())
                .isEqualTo(unwatched);
        millrace.run(up).succeeded();
        assertThat(directory.supervisor()).isPresent();
    }

    private static void thePageShows(String broker, RunDirectory directory) {
        String url = directory.state().orElseThrow().part(StackState.SUPERVISOR).url();
        assertThat(Http.get(url + "/").orElseThrow()).contains("audit --broker " + broker + " --run-dir ");
        JsonNode look = Http.json(url + "/look.json").orElseThrow();
        assertThat(look.path("broker").asText()).isEqualTo(broker);
        assertThat(look.path("windowsStored").asLong()).as(look.toString()).isPositive();
        assertThat(look.path("sendP99Millis").asDouble()).as(look.toString()).isPositive();
        assertThat(look.path("audit").isNull()).isTrue();
        assertThat(look.path("usedCores").path(StackState.TASK_MANAGER).asDouble())
                .isPositive();
    }

    private static void publish(String broker, RunDirectory directory, String payload) {
        StackState state = directory.state().orElseThrow();
        String topic = directory.settings().orElseThrow().topic();
        boolean stored = MillraceCommand.withPlugin(broker, plugin -> {
            try (BrokerClient client = plugin.connect(state.brokerOptions());
                    Publisher publisher = client.publisher(topic, "stranger")) {
                CountDownLatch receipt = new CountDownLatch(1);
                byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
                assertThat(publisher.offer(bytes, bytes, 0, new StoredReceipt(receipt)))
                        .isTrue();
                return receipt.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        });
        assertThat(stored).isTrue();
    }

    /** Counts down when the payload is stored, and only then. */
    private record StoredReceipt(CountDownLatch stored) implements Publisher.Receipt {
        @Override
        public void stored(int partition, Position position) {
            stored.countDown();
        }

        @Override
        public void refused(String sentence) {
            System.err.println(sentence);
        }

        @Override
        public void unknown(String sentence) {
            System.err.println(sentence);
        }
    }

    private static void everyProcessHasMetricsThatMove(MillraceCommand millrace, RunDirectory directory) {
        StackState state = directory.state().orElseThrow();
        for (String name : StackState.NAMES) {
            // A third party's server has metrics of its own, or none.
            if (!name.equals(StackState.BROKER)) {
                String url = state.part(name).metricsUrl();
                Map<String, Double> before = scrape(name, url);
                millrace.await("a metric of " + name + " moves", Duration.ofSeconds(20), () -> !scrape(name, url)
                        .equals(before));
            }
        }
    }

    /** Those of this size's big brother: it runs the same job and the same generator. */
    private static void alertsAndDashboardsFindTheirMetrics(RunDirectory directory) {
        StackState state = directory.state().orElseThrow();
        MetricTable table = MetricTable.neutral();
        for (String name : List.of(StackState.JOB_MANAGER, StackState.TASK_MANAGER, StackState.GENERATOR)) {
            String scrape = Http.get(state.part(name).metricsUrl()).orElseThrow();
            assertThat(table.of(name)).as(name).hasSizeGreaterThan(5);
            assertThat(table.missing(name, scrape)).as(name).isEmpty();
        }
    }

    /** Every sample of Prometheus' text format by its name and labels; a line that is none fails. */
    private static Map<String, Double> scrape(String name, String url) {
        String text = Http.get(url).orElseThrow(() -> new AssertionError("no metrics of " + name + " at " + url));
        assertThat(text).contains("# TYPE");
        Map<String, Double> samples = new HashMap<>();
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> {
            assertThat(line).as(name).matches("[a-zA-Z_:][a-zA-Z0-9_:]*(\\{.*})? (NaN|[-+]?Inf|[-+]?[0-9.eE+-]+)");
            String value = line.substring(line.lastIndexOf(' ') + 1).replace("Inf", "Infinity");
            samples.put(line.substring(0, line.lastIndexOf(' ')), Double.parseDouble(value));
        });
        return samples;
    }

    private static List<Long> pids(RunDirectory directory) {
        StackState state = directory.state().orElseThrow();
        return StackState.NAMES.stream().map(name -> state.part(name).pid()).toList();
    }
}
