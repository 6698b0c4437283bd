package dev.millrace.connectors.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.audit.IndexRanges;
import dev.millrace.core.audit.Ledger;
import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.ReadingEncoder;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(60)
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class GeneratorTest {
    @TempDir
    Path directory;

    private final Map<String, String> settings = new HashMap<>();
    private final AtomicLong freeDisk = new AtomicLong(Long.MAX_VALUE);
    private final List<Running> all = new ArrayList<>();
    private Path topic;
    private Path ledger;

    @BeforeEach
    void begin() throws IOException {
        topic = Files.createDirectories(directory.resolve("topic"));
        ledger = directory.resolve("ledger");
        settings.putAll(FileBroker.settings(topic, ledger));
    }

    @AfterEach
    void end() {
        all.forEach(Running::stop);
    }

    @Test
    void aBoundedFillSendsEveryReadingOnceAndSaysComplete() {
        settings.putAll(Map.of("rate", "max", "readings", "5000", "start", "1700000000000", "event-rate", "1000"));
        Running generator = start();
        await(() -> generator.state() == GeneratorState.COMPLETE);
        assertThat(generator.generator.readingsSent()).isEqualTo(5000);
        generator.stop();
        Ledger read = Ledger.read(ledger);
        assertThat(read.acknowledged()).isEqualTo(IndexRanges.of(0, 5000));
        assertThat(read.open().size()).isZero();
        assertThat(read.state()).isEqualTo(Ledger.State.STOPPED);
        assertThat(read.schedule().timeMicros(4999)).isEqualTo(1_700_000_004_999_000L);
        assertTopicHolds(5000);
    }

    @Test
    void startedAgainAfterAnOrderlyStopItGoesOnWhereItWas() {
        settings.put("rate", "2000");
        Running first = start();
        await(() -> first.generator.readingsSent() > 500);
        first.stop();
        long sent = Ledger.read(ledger).acknowledged().count();
        Running second = start();
        await(() -> second.generator.readingsSent() > sent + 500);
        second.stop();
        Ledger read = Ledger.read(ledger);
        assertThat(read.acknowledged().size()).isEqualTo(1);
        assertThat(read.schedule().last().readingsPerSecond()).isZero();
        assertTopicHolds(read.acknowledged().end());
    }

    @Test
    void afterAKillItReadsTheTopicBackAndSendsWhatIsMissing() {
        Path killed = killedInAFillOf20000();
        Running second = start();
        await(() -> second.state() == GeneratorState.COMPLETE);
        second.stop();
        assertThat(Ledger.read(killed).acknowledged()).isEqualTo(IndexRanges.of(0, 20_000));
        assertTopicHolds(20_000);
    }

    /** Each has devices of its own, and one that was killed settles its sends while the other goes on. */
    @Test
    void amongOtherGeneratorsItReadsBackItsOwn() throws IOException {
        settings.putAll(Map.of("devices", "5", "first-device", "5", "all-devices", "10", "rate", "500"));
        settings.put("directory", directory.resolve("other").toString());
        Running other = start();
        await(() -> other.generator.readingsSent() > 100);
        settings.putAll(Map.of("first-device", "0", "readings", "4000", "rate", "max", "start", "1700000000000"));
        settings.putAll(Map.of("directory", ledger.toString(), "broker.unknown-after", "1500"));
        Running first = start();
        assertThatThrownBy(() -> first.done.get(20, TimeUnit.SECONDS)).hasMessageContaining("fate of reading");
        assertThat(Ledger.read(ledger).open().count()).isPositive();
        settings.remove("broker.unknown-after");
        Running second = start();
        await(() -> second.state() == GeneratorState.COMPLETE);
        second.stop();
        other.stop();
        Ledger own = Ledger.read(ledger);
        assertThat(own.acknowledged()).isEqualTo(IndexRanges.of(0, 4000));
        assertThat(own.settings().deviceId(4)).isEqualTo("device-0000004");
        assertThat(Ledger.read(directory.resolve("other")).settings().deviceId(0))
                .isEqualTo("device-0000005");
    }

    @Test
    void aSendWhoseFateIsUnknownEndsTheProcessAndTheNextOneSettlesIt() {
        settings.putAll(
                Map.of("rate", "max", "readings", "4000", "start", "1700000000000", "broker.unknown-after", "1500"));
        Running first = start();
        assertThatThrownBy(() -> first.done.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("fate of reading")
                .hasMessageContaining("reads the topic back");
        assertThat(Ledger.read(ledger).open().count()).isPositive();
        settings.remove("broker.unknown-after");
        Running second = start();
        await(() -> second.state() == GeneratorState.COMPLETE);
        second.stop();
        assertThat(Ledger.read(ledger).acknowledged()).isEqualTo(IndexRanges.of(0, 4000));
        assertTopicHolds(4000);
    }

    @Test
    void anOutageOfTheBrokerMovesNoIntendedTime() throws IOException {
        settings.putAll(Map.of("rate", "5000"));
        Running generator = start();
        await(() -> generator.generator.readingsSent() > 100);
        Files.createFile(topic.resolve("outage"));
        await(() -> generator.generator.latenessMillis() > 500);
        Files.delete(topic.resolve("outage"));
        await(() -> generator.generator.latenessMillis() == 0);
        generator.stop();
        Ledger read = Ledger.read(ledger);
        assertThat(read.schedule().segments()).hasSize(2); // the start and the stop
        assertThat(read.open().size()).isZero();
        assertTopicHolds(read.acknowledged().end());
    }

    @Test
    void aPausedGeneratorStaysPausedOverACrashAndResumes() throws Exception {
        settings.put("rate", "1000");
        Path killed = killedWhilePaused();
        Running second = start();
        await(() -> second.state() == GeneratorState.PAUSED);
        long sent = second.generator.readingsSent();
        assertThat(sent).isEqualTo(Ledger.read(killed).acknowledged().count());
        second.generator.resume().get(5, TimeUnit.SECONDS);
        await(() -> second.generator.readingsSent() > sent + 100);
        second.stop();
        assertTopicHolds(Ledger.read(killed).acknowledged().end());
    }

    @Test
    void aPausedFillStaysPausedOverACrash() throws Exception {
        settings.putAll(Map.of("rate", "max", "readings", "2000000", "start", "1700000000000"));
        Path killed = killedWhilePaused();
        long sent = Ledger.read(killed).acknowledged().count();
        Running second = start();
        await(() -> second.state() == GeneratorState.PAUSED || second.generator.readingsOffered() > sent);
        assertThat(second.generator.readingsOffered()).isEqualTo(sent);
        assertThat(Ledger.read(killed).state()).isEqualTo(Ledger.State.PAUSED);
    }

    /** It may have been paused for longer than the topic keeps what it is to be read back from. */
    @Test
    void pausedWithNothingOpenItStartsWithoutTheTopicsPast() throws Exception {
        settings.put("rate", "1000");
        killedWhilePaused();
        Files.createFile(topic.resolve("removed"));
        Running second = start();
        await(() -> second.state() == GeneratorState.PAUSED);
    }

    @Test
    void anotherRateHoldsFromThenOnAndOverACrash() throws Exception {
        settings.put("rate", "100");
        Running first = start();
        await(() -> first.state() == GeneratorState.RUNNING);
        first.generator.rate(3000).get(5, TimeUnit.SECONDS);
        await(() -> first.generator.targetRate() == 3000 && first.generator.readingsSent() > 500);
        Path killed = directory.resolve("killed");
        copy(ledger, killed, () -> {});
        first.stop();
        settings.put("directory", killed.toString());
        Running second = start();
        await(() -> second.state() == GeneratorState.RUNNING);
        assertThat(second.generator.targetRate()).isEqualTo(3000);
    }

    @Test
    void aFullDiskPausesItWithASentenceAndRoomLetsItGoOn() {
        settings.put("rate", "1000");
        Running generator = start();
        await(() -> generator.generator.readingsSent() > 100);
        freeDisk.set(1L << 30);
        await(() -> generator.state() == GeneratorState.PAUSED_DISK);
        assertThat(generator.generator.message())
                .contains("1.0 GiB are free", "at least 2.0 GiB are kept", "goes on by itself");
        freeDisk.set(3L << 30);
        long sent = generator.generator.readingsSent();
        await(() -> generator.state() == GeneratorState.RUNNING && generator.generator.readingsSent() > sent + 50);
    }

    @Test
    void aPayloadTheBrokerWouldRefuseIsRefusedBeforeAnythingIsSent() {
        settings.putAll(Map.of("payload-bytes", "2000000"));
        Running generator = start();
        assertThatThrownBy(() -> generator.done.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(UserException.class)
                .hasMessageContaining("payload-bytes is 2000000")
                .hasMessageContaining("at most 1048576 bytes; nothing was sent");
        settings.put("payload-bytes", "300");
        Running mended = start();
        await(() -> mended.generator.readingsSent() > 10);
    }

    @Test
    void aNightOfSilenceIsNotMadeUpFor() {
        settings.put("rate", "1000");
        AtomicLong shift = new AtomicLong();
        Running first = start(() -> Clock.system() + shift.get());
        await(() -> first.generator.readingsSent() > 100);
        Path killed = directory.resolve("killed");
        await(() -> Ledger.read(ledger).acknowledged().count() > 100);
        copy(ledger, killed, () -> {});
        first.stop();
        settings.put("directory", killed.toString());
        shift.set(8 * 3_600_000_000L);
        Running second = start(() -> Clock.system() + shift.get());
        await(() -> second.state() == GeneratorState.RUNNING);
        long sent = second.generator.readingsSent();
        await(() -> second.generator.readingsSent() > sent + 500);
        assertThat(second.generator.readingsSent()).isLessThan(60_000);
        assertThat(second.generator.latenessMillis()).isLessThan(10_000);
    }

    @Test
    void aClockThatIsSetBackMovesNoReadingThatWasSent() throws Exception {
        settings.put("rate", "1000");
        AtomicLong shift = new AtomicLong();
        Running generator = start(() -> Clock.system() + shift.get());
        await(() -> generator.generator.readingsSent() > 500);
        shift.set(-30_000_000L);
        generator.generator.rate(2000).get(5, TimeUnit.SECONDS);
        generator.generator.pause().get(5, TimeUnit.SECONDS);
        await(() -> generator.state() == GeneratorState.PAUSED);
        generator.generator.resume().get(5, TimeUnit.SECONDS);
        generator.stop();
        Ledger read = Ledger.read(ledger);
        assertThat(read.open().size()).isZero();
        assertTopicHolds(read.acknowledged().end());
    }

    @Test
    void aClockThatGoesForwardWhileItRunsMakesNothingDue() {
        settings.put("rate", "1000");
        AtomicLong shift = new AtomicLong();
        Clock clock = () -> Clock.system() + shift.get();
        Running generator = start(clock);
        await(() -> generator.generator.readingsSent() > 100);
        shift.set(8 * 3_600_000_000L);
        long sent = generator.generator.readingsSent();
        await(() -> generator.generator.readingsSent() > sent + 500);
        assertThat(Ledger.read(ledger).schedule().dueBy(clock.micros())).isLessThan(1_000_000);
        generator.stop();
        assertTopicHolds(Ledger.read(ledger).acknowledged().end());
    }

    private Running startedWithAClockThatIsThenSetBack() {
        settings.put("rate", "1000");
        AtomicLong shift = new AtomicLong();
        Running generator = start(() -> Clock.system() + shift.get());
        await(() -> generator.generator.readingsSent() > 100);
        shift.set(-3_600_000_000L);
        return generator;
    }

    @Test
    void aClockThatIsSetBackIsSaid() {
        Running generator = startedWithAClockThatIsThenSetBack();
        await(() -> generator.generator.message().contains("the clock was set back by 3"));
        assertThat(generator.state()).isEqualTo(GeneratorState.RUNNING);
    }

    @Test
    void theDiskIsWatchedAlsoByAClockThatWasSetBack() {
        Running generator = startedWithAClockThatIsThenSetBack();
        freeDisk.set(1L << 30);
        await(() -> generator.state() == GeneratorState.PAUSED_DISK);
    }

    @Test
    void stoppedBeforeItKnowsWhatWasSentItLeavesTheLedgerAsItWas() throws IOException {
        Path killed = killedInAFillOf20000();
        String before = Files.readString(killed.resolve("acknowledged"));
        Running second = start();
        await(() -> second.state() == GeneratorState.RECOVERING);
        second.stop();
        assertThat(second.done).isCompleted();
        assertThat(killed.resolve("acknowledged")).hasContent(before);
        Running third = start();
        await(() -> third.state() == GeneratorState.COMPLETE);
        third.stop();
        assertTopicHolds(20_000);
    }

    @Test
    void aShapeIsLaidSecondBySecond() {
        settings.putAll(Map.of("rate", "100", "shape", "ramp", "shape-rate", "2000", "shape-period", "3s"));
        Running generator = start();
        await(() -> generator.generator.targetRate() == 2000);
        generator.stop();
        List<Long> rates = Ledger.read(ledger).schedule().segments().stream()
                .map(s -> s.readingsPerSecond())
                .toList();
        assertThat(rates).containsExactly(100L, 733L, 1366L, 2000L, 0L);
    }

    @Test
    void anotherStartThanTheLedgersIsRefused() {
        settings.putAll(Map.of("rate", "max", "readings", "10", "start", "1700000000000"));
        Running first = start();
        await(() -> first.state() == GeneratorState.COMPLETE);
        first.stop();
        settings.put("start", "1700000000001");
        Running second = start();
        assertThatThrownBy(() -> second.done.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(UserException.class)
                .hasMessageContaining("begins at 1700000000000, 'start' is 1700000000001");
    }

    @Test
    void whatWasSentBeforeIsNoSecondsWorkOfTheNextStart() {
        settings.putAll(Map.of("rate", "max", "readings", "20000"));
        Running first = start();
        await(() -> first.state() == GeneratorState.COMPLETE);
        first.stop();
        Running second = start();
        GeneratorMetrics metrics = new GeneratorMetrics();
        metrics.watch(second.generator);
        double greatest = metrics.rate();
        await(() -> second.state() == GeneratorState.COMPLETE);
        assertThat(metrics.scrape()).contains("millrace_generator_readings_sent_total 20000.0\n");
        long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
        while (System.nanoTime() < end) {
            greatest = Math.max(greatest, metrics.rate());
            LockSupport.parkNanos(50_000_000);
        }
        second.stop();
        assertThat(greatest).isZero();
    }

    @Test
    void theHttpServerShowsAndSteersItAndKnowsItsName() throws Exception {
        settings.put("rate", "1000");
        Running running = start();
        GeneratorMetrics metrics = new GeneratorMetrics();
        metrics.watch(running.generator);
        try (GeneratorServer server = new GeneratorServer(0, GeneratorServer.LOOPBACK, running.generator, metrics)) {
            await(() -> running.generator.readingsSent() > 100);
            String base = "http://127.0.0.1:" + server.port();
            assertThat(call("GET", base + "/state").body())
                    .contains("\"state\":\"running\"", "\"targetRateReadingsPerSecond\":1000", "\"latenessMillis\":");
            assertThat(call("POST", base + "/pause").body()).contains("\"state\":");
            await(() -> running.state() == GeneratorState.PAUSED);
            assertThat(call("POST", base + "/resume").statusCode()).isEqualTo(200);
            assertThat(call("POST", base + "/rate?readingsPerSecond=77").statusCode())
                    .isEqualTo(200);
            await(() -> running.generator.targetRate() == 77);
            assertThat(call("POST", base + "/rate?readingsPerSecond=abc").statusCode())
                    .isEqualTo(400);
            assertThat(call("GET", base + "/pause").statusCode()).isEqualTo(405);
            assertThat(call("GET", base + "/nothing").statusCode()).isEqualTo(404);
            assertThat(call("GET", base + "/metrics").body())
                    .contains(
                            "millrace_generator_readings_sent_total ",
                            "millrace_generator_send_latency_seconds_bucket");
            assertThat(withHost(server.port(), "evil.example")).startsWith("HTTP/1.1 403");
            HttpRequest ofAPage = HttpRequest.newBuilder(URI.create(base + "/pause"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .header("Origin", "http://evil.example")
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(ofAPage, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(403);
            assertThat(running.state()).isNotEqualTo(GeneratorState.PAUSED);
        }
    }

    @Test
    void onAnotherAddressItIsOnlyLookedAt() throws Exception {
        settings.put("rate", "1000");
        Running running = start();
        GeneratorMetrics metrics = new GeneratorMetrics();
        metrics.watch(running.generator);
        try (GeneratorServer server = new GeneratorServer(0, "127.0.0.3", running.generator, metrics)) {
            String base = "http://127.0.0.3:" + server.port();
            assertThat(call("GET", base + "/state").body()).contains("\"state\":");
            assertThat(call("GET", base + "/metrics").statusCode()).isEqualTo(200);
            assertThat(call("POST", base + "/pause").statusCode()).isEqualTo(404);
            assertThat(call("POST", "http://127.0.0.1:" + server.port() + "/pause")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    private static HttpResponse<String> call(String method, String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(10))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String withHost(int port, String host) throws IOException {
        try (java.net.Socket socket = new java.net.Socket("127.0.0.1", port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(("GET /state HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes("US-ASCII"));
            return new String(socket.getInputStream().readAllBytes(), "US-ASCII");
        }
    }

    private Running start() {
        return start(Clock::system);
    }

    private Running start(Clock clock) {
        GeneratorOptions options = GeneratorOptions.bind(Options.of(settings), "test");
        Generator generator = new Generator(options, new FileBroker(), clock, freeDisk::get, micros -> {});
        Running running = new Running(generator);
        all.add(running);
        return running;
    }

    /** A person had paused it, and everything had its receipt. The ledger's folder. */
    private Path killedWhilePaused() throws Exception {
        Running first = start();
        await(() -> first.generator.readingsSent() > 100);
        first.generator.pause().get(5, TimeUnit.SECONDS);
        await(() -> first.state() == GeneratorState.PAUSED
                && Ledger.read(ledger).state() == Ledger.State.PAUSED
                && Ledger.read(ledger).open().size() == 0);
        Path killed = directory.resolve("killed");
        copy(ledger, killed, () -> {});
        first.stop();
        settings.put("directory", killed.toString());
        return killed;
    }

    /** As a SIGKILL leaves it: the broker has more than the ledger knows, the client's buffer is gone. The ledger's folder. */
    private Path killedInAFillOf20000() {
        settings.putAll(
                Map.of("rate", "max", "readings", "20000", "start", "1700000000000", "broker.receipt-delay", "50ms"));
        Running first = start();
        await(() -> first.generator.readingsSent() > 3000);
        Path killed = directory.resolve("killed");
        Path there = directory.resolve("topic-killed");
        copy(topic, there, () -> copy(ledger, killed, () -> {}));
        first.stop();
        settings.put("directory", killed.toString());
        settings.put("broker.address", there.toString());
        topic = there;
        assertThat(Ledger.read(killed).open().count()).isPositive();
        return killed;
    }

    private void assertTopicHolds(long readings) {
        assertTopicHolds(readings, Ledger.read(Path.of(settings.get("directory"))), topic);
    }

    /** Each of the first readings once, byte for byte, and nothing else. */
    static void assertTopicHolds(long readings, Ledger read, Path topic) {
        ReadingGenerator generator = new ReadingGenerator(read.settings(), read.schedule());
        Set<String> expected = new HashSet<>();
        Reading reading = new Reading();
        for (long i = 0; i < readings; i++) {
            generator.reading(i, reading);
            expected.add(java.util.Arrays.toString(new ReadingEncoder().encode(reading)));
        }
        List<String> actual = new ArrayList<>();
        for (int p = 0; p < FileBroker.PARTITIONS; p++) {
            FileBroker.payloads(topic, p).forEach(payload -> actual.add(java.util.Arrays.toString(payload)));
        }
        assertThat(actual).hasSize((int) readings);
        assertThat(new HashSet<>(actual)).isEqualTo(expected);
    }

    /** Copies what is there, {@code first} what may be older. */
    private static void copy(Path from, Path to, Runnable first) {
        try {
            first.run();
            Files.createDirectories(to);
            try (java.util.stream.Stream<Path> files = Files.list(from)) {
                for (Path file : files.toList()) {
                    if (!file.toString().endsWith(".new") && !file.endsWith("lock")) {
                        Files.copy(file, to.resolve(file.getFileName()));
                    }
                }
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited 30 s").isLessThan(deadline);
            LockSupport.parkNanos(2_000_000);
        }
    }

    /** A generator on a thread of its own. */
    static final class Running {
        final Generator generator;
        final CompletableFuture<Void> done = new CompletableFuture<>();
        private final Thread thread;

        Running(Generator generator) {
            this.generator = generator;
            this.thread = new Thread(
                    () -> {
                        try {
                            generator.run();
                            done.complete(null);
                        } catch (RuntimeException e) {
                            done.completeExceptionally(e);
                        }
                    },
                    "generator");
            thread.start();
        }

        GeneratorState state() {
            if (done.isCompletedExceptionally()) {
                done.join();
            }
            return generator.state();
        }

        void stop() {
            generator.stop();
            try {
                thread.join(20_000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            assertThat(thread.isAlive()).isFalse();
        }
    }
}
