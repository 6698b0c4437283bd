package dev.millrace.perf.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.Position;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.run.stage.SendLatency;
import dev.millrace.perf.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Coordinated omission, planted: a broker that is paused. Every reading that was due meanwhile has waited, whether the generator
 * could send it or not, so the latency at quantile q is (the stall) - (1 - q) x (the run). A client that sends one at a time and
 * takes the time from its own send sees one slow send among thousands. {@code -Dmillrace.test.stallRunSeconds=60} is a longer run.
 */
@Tag("server")
class PlantedStallTest {
    private static final Duration STALL = Duration.ofSeconds(2);
    private static final Duration RUN = Duration.ofSeconds(Long.getLong("millrace.test.stallRunSeconds", 12));
    private static final double MILLI = 1e6;
    private static final double LEAST_SHARE = 0.95;

    @TempDir
    Path base;

    private RunDirectory directory;

    @AfterEach
    void down() {
        if (directory != null && directory.settings().isPresent()) {
            directory
                    .state()
                    .ifPresent(state ->
                            signal("CONT", state.part(StackState.BROKER).pid()));
            Millrace.run("down", "--run-dir", base.toString());
        }
    }

    @Test
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    void everyReadingThatWasDueWhileTheBrokerStoodStillHasItsWaitInItsLatency() throws Exception {
        Installation installation = Installation.here();
        String broker = name(installation);
        directory = RunDirectory.of(base, broker);
        assertThat(Millrace.run(
                        "up",
                        "--broker",
                        broker,
                        "--run-dir",
                        base.toString(),
                        "--rate",
                        "5000",
                        "--window",
                        "1s",
                        "--out-of-orderness",
                        "500ms",
                        "--latency-log",
                        "true"))
                .isZero();
        StackState state = directory.state().orElseThrow();
        long server = state.part(StackState.BROKER).pid();
        pause(Duration.ofSeconds(5));
        long from = System.currentTimeMillis();
        pause(RUN.dividedBy(4));
        double stallMillis = stall(server);
        pause(RUN.dividedBy(2));
        long to = from + RUN.toMillis();
        Histogram control = control(installation, state, server);
        SendLatency sent = SendLatency.read(directory.latencyLog(), from, to);
        assertThat((double) sent.count()).isCloseTo(5000.0 * RUN.toSeconds(), within(5000.0 * 2));
        for (double share : new double[] {0.25, 0.5, 0.75}) {
            // At the quantile that this share of the stalled readings is above.
            double quantile = 1 - share * stallMillis / RUN.toMillis();
            double expected = stallMillis - (1 - quantile) * RUN.toMillis();
            System.out.printf(
                    "%s: q %.4f: %.0f ms, expected %.0f ms%n", broker, quantile, sent.millis(quantile * 100), expected);
            // From above only a quiet machine can be asked: the figures are printed for that.
            assertThat(sent.millis(quantile * 100))
                    .as("latency at quantile " + quantile)
                    .isGreaterThan(LEAST_SHARE * expected);
        }
        System.out.printf(
                "%s: one at a time: %d sends, p99 %.1f ms, greatest %.0f ms%n",
                broker,
                control.getTotalCount(),
                control.getValueAtPercentile(99) / MILLI,
                control.getMaxValue() / MILLI);
        assertThat(control.getMaxValue() / MILLI).as("it did stand still").isGreaterThan(0.9 * STALL.toMillis());
        assertThat(control.getValueAtPercentile(99) / MILLI)
                .as("and hides it: the p99 of a run that stood still for a part of its time")
                .isLessThan(sent.millis(99));
    }

    /**
     * How long it surely was, milliseconds. Signals are sent by processes that take their time on a busy machine: it began before
     * the first was back, and ended after the second was asked for.
     */
    private static double stall(long pid) {
        signal("STOP", pid);
        long start = System.nanoTime();
        pause(STALL);
        double lasted = (System.nanoTime() - start) / MILLI;
        signal("CONT", pid);
        return lasted;
    }

    /** The same stall, met by the other kind of client; nanoseconds. */
    private static Histogram control(Installation installation, StackState state, long server) throws Exception {
        Histogram latencies = new Histogram(3);
        CountDownLatch enough = new CountDownLatch(1);
        try (BrokerClient client = installation.load(name(installation)).connect(state.brokerOptions())) {
            client.createTopic(new TopicSpec("control", 1, 1, 64 << 20, Duration.ofHours(1)));
            CompletableFuture<Void> loop = CompletableFuture.runAsync(() -> oneAtATime(client, enough, latencies));
            pause(RUN.dividedBy(4));
            stall(server);
            pause(RUN.dividedBy(4));
            enough.countDown();
            loop.get(30, TimeUnit.SECONDS);
        }
        return latencies;
    }

    /** What a benchmark does that does not know better. */
    private static void oneAtATime(BrokerClient client, CountDownLatch enough, Histogram latencies) {
        byte[] key = "device".getBytes(StandardCharsets.UTF_8);
        try (Publisher publisher = client.publisher("control", "control")) {
            while (enough.getCount() > 0) {
                long start = System.nanoTime();
                CompletableFuture<Boolean> stored = new CompletableFuture<>();
                if (publisher.offer(key, new byte[300], System.currentTimeMillis(), new Outcome(stored))) {
                    stored.join();
                    latencies.recordValue(System.nanoTime() - start);
                }
            }
        }
    }

    private static String name(Installation installation) {
        return System.getProperty(
                "millrace.test.broker",
                ScenarioFile.load(installation.root().resolve("perf/scenarios"), "quick")
                        .floor());
    }

    private record Outcome(CompletableFuture<Boolean> stored) implements Publisher.Receipt {
        @Override
        public void stored(int partition, Position position) {
            stored.complete(true);
        }

        @Override
        public void refused(String sentence) {
            stored.completeExceptionally(new AssertionError(sentence));
        }

        @Override
        public void unknown(String sentence) {
            stored.completeExceptionally(new AssertionError(sentence));
        }
    }

    private static void signal(String name, long pid) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .inheritIO()
                    .start()
                    .waitFor(5, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }
}
