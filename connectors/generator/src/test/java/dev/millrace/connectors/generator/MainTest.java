package dev.millrace.connectors.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.core.audit.IndexRanges;
import dev.millrace.core.audit.Ledger;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
@Timeout(120)
class MainTest {
    private static final long LARGEST_FILE_BYTES = 32L << 20;

    @TempDir
    Path directory;

    private final Map<String, String> settings = new TreeMap<>();
    private final List<Process> processes = new ArrayList<>();
    private Path topic;
    private Path ledger;

    @BeforeEach
    void begin() throws IOException {
        topic = Files.createDirectories(directory.resolve("topic"));
        ledger = directory.resolve("ledger");
        settings.putAll(FileBroker.settings(topic, ledger));
        settings.putAll(Map.of("broker.receipt-delay", "20ms", "min-free-disk", "0"));
    }

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void killedAgainAndAgainItSendsEveryReadingOnce() throws Exception {
        settings.putAll(Map.of("rate", "4000", "readings", "20000"));
        for (int kill = 1; kill <= 3; kill++) {
            Process process = start();
            long sent = kill * 3000L;
            GeneratorTest.await(() -> LedgerView.count(ledger) > sent);
            process.destroyForcibly();
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
        Process last = start();
        GeneratorTest.await(() -> LedgerView.count(ledger) == 20_000);
        last.destroy();
        assertThat(last.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(last.exitValue()).isZero();
        Ledger read = Ledger.read(ledger);
        assertThat(read.acknowledged()).isEqualTo(IndexRanges.of(0, 20_000));
        assertThat(read.schedule().segments()).hasSize(2); // no kill moved an intended time
        GeneratorTest.assertTopicHolds(20_000, read, topic);
    }

    @Test
    void toldToStopItEndsWithZeroAndNothingOpen() throws Exception {
        settings.put("rate", "2000");
        Process process = start();
        GeneratorTest.await(() -> LedgerView.count(ledger) > 500);
        process.destroy();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        Ledger read = Ledger.read(ledger);
        assertThat(read.state()).isEqualTo(Ledger.State.STOPPED);
        assertThat(read.open().size()).isZero();
        GeneratorTest.assertTopicHolds(read.acknowledged().end(), read, topic);
    }

    @Test
    void theLatencyLogHasEverySendOnceAlsoAfterARestart() throws Exception {
        Path file = directory.resolve("latency.hlog");
        settings.putAll(Map.of("rate", "2000", "latency-log", file.toString()));
        for (int start = 1; start <= 2; start++) {
            Process process = start();
            long sent = start * 3000L;
            GeneratorTest.await(() -> LedgerView.count(ledger) > sent);
            process.destroy();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
        Histogram all = new Histogram(3);
        int intervals = 0;
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
            for (EncodableHistogram one = reader.nextIntervalHistogram();
                    one != null;
                    one = reader.nextIntervalHistogram()) {
                all.add((Histogram) one);
                intervals++;
            }
        }
        assertThat(all.getTotalCount())
                .isEqualTo(Ledger.read(ledger).acknowledged().count());
        assertThat(intervals).as("seconds").isGreaterThan(2);
        // The broker of this test holds every receipt back for so long.
        assertThat(all.getMinValue()).isGreaterThanOrEqualTo(19_000);
    }

    @Test
    void aLatencyLogBehindHalfALineOfAnotherIsRead() throws Exception {
        Path file = directory.resolve("latency.hlog");
        String half = "1790000000.123,1.000,0.245,HISTFAAAAC";
        Files.writeString(file, half);
        settings.putAll(Map.of("rate", "2000", "latency-log", file.toString()));
        Process process = start();
        GeneratorTest.await(() -> LedgerView.count(ledger) > 3000);
        process.destroy();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        String written = Files.readString(file);
        assertThat(written.lines().findFirst()).contains(half);
        long count = 0;
        try (HistogramLogReader reader = new HistogramLogReader(
                new ByteArrayInputStream(written.substring(half.length()).getBytes(StandardCharsets.US_ASCII)))) {
            for (EncodableHistogram one = reader.nextIntervalHistogram();
                    one != null;
                    one = reader.nextIntervalHistogram()) {
                count += ((Histogram) one).getTotalCount();
            }
        }
        assertThat(count).isEqualTo(Ledger.read(ledger).acknowledged().count());
    }

    @Test
    void aLatencyLogOnAFullDiskEndsWithThreeAndASentence() throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/full")), "this system has no /dev/full");
        settings.putAll(Map.of("rate", "2000", "latency-log", "/dev/full"));
        Process process = start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(3);
        assertThat(log()).contains("cannot write the latency log /dev/full: No space left on device");
    }

    @Test
    void aLatencyLogThatCanGrowNoMoreEndsWithThreeAndNoReadingIsLost() throws Exception {
        Path file = directory.resolve("latency.hlog");
        // The heading has room, and at most a few seconds behind it.
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "rw")) {
            log.seek(LARGEST_FILE_BYTES - 600);
            log.write('\n');
        }
        settings.putAll(Map.of("rate", "2000", "readings", "20000", "latency-log", file.toString()));
        Process process = start("sh", "-c", "ulimit -f " + LARGEST_FILE_BYTES / 512 + " && exec \"$@\"", "sh");
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(3);
        assertThat(log())
                .contains("cannot write the latency log " + file + ": ")
                .doesNotContain("\tat ");
        assertThat(LedgerView.count(ledger)).isPositive();
        settings.remove("latency-log");
        start();
        GeneratorTest.await(() -> LedgerView.count(ledger) == 20_000);
        GeneratorTest.assertTopicHolds(20_000, Ledger.read(ledger), topic);
    }

    @Test
    void latenciesAreTheClocksWhenEventTimePassesFaster() throws Exception {
        Path file = directory.resolve("latency.hlog");
        settings.putAll(Map.of("rate", "20", "acceleration", "100", "latency-log", file.toString()));
        Process process = start();
        GeneratorTest.await(() -> LedgerView.count(ledger) > 2_000);
        process.destroy();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        Histogram all = new Histogram(3);
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
            for (EncodableHistogram one = reader.nextIntervalHistogram();
                    one != null;
                    one = reader.nextIntervalHistogram()) {
                all.add((Histogram) one);
            }
        }
        assertThat(all.getTotalCount())
                .isEqualTo(Ledger.read(ledger).acknowledged().count());
        // The broker of this test holds every receipt back for 20 ms, which are 2 s of event time.
        assertThat(all.getMinValue()).isBetween(19_000L, 1_000_000L);
    }

    @Test
    void aSettingsFileWithATypoEndsWithTwoAndASentence() throws Exception {
        settings.put("paylod-bytes", "300");
        Process process = start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(log()).contains("unknown key 'paylod-bytes'. Did you mean 'payload-bytes'?");
    }

    @Test
    void anUnknownBrokerEndsWithTwoAndTheNamesThereAre() throws Exception {
        settings.put("broker", "flie");
        Process process = start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(log()).contains("there is no broker 'flie'; did you mean 'file'?");
    }

    @Test
    void aSendWhoseFateIsUnknownEndsWithOneSoThatItIsStartedAgain() throws Exception {
        settings.putAll(Map.of("broker.unknown-after", "100", "rate", "1000"));
        Process process = start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(log()).contains("the fate of reading");
    }

    /** @param before what the process is started by, if not by itself */
    private Process start(String... before) throws IOException {
        Path file = directory.resolve("generator.properties");
        Properties properties = new Properties();
        properties.putAll(settings);
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
        List<String> command = new ArrayList<>(List.of(before));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--settings",
                file.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
        processes.add(process);
        return process;
    }

    private String log() throws IOException {
        return Files.readString(directory.resolve("log"));
    }

    /** How far a ledger has come that may not have been begun. */
    private static final class LedgerView {
        static long count(Path ledger) {
            return Files.exists(ledger.resolve("acknowledged"))
                    ? Ledger.read(ledger).acknowledged().count()
                    : 0;
        }
    }
}
