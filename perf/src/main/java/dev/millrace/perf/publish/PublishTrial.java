package dev.millrace.perf.publish;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.Logs;
import dev.millrace.perf.backlog.Samples;
import dev.millrace.perf.probe.MachineUse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One process that publishes, and what is in its topic meanwhile: the same look from outside for both sides, because each side's
 * own clock begins elsewhere. {@link #close} may be called by any thread and ends the process.
 */
final class PublishTrial implements AutoCloseable {
    /** All of it from the start. With half of it one load tool is busy with its collector alone, and three times as slow. */
    private static final List<String> MEMORY = List.of("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC");
    /**
     * Shares of the readings: before the first both sides are still being compiled, behind the second some tools are already at
     * their end.
     */
    static final double COUNT_FROM = 0.5;

    static final double COUNT_TO = 0.95;

    /** Some looks fall between those two also where all takes a second. */
    private static final long LOOK_MILLIS = 50;

    private static final long CPU_LOOK_MILLIS = 10;
    /** A tool that has printed its summary may wait for seconds before it ends. */
    private static final Duration END_BOUND = Duration.ofSeconds(30);

    private static final int LOG_LINES = 20;
    /** Nobody reads as this group, so that its lag is all that is in the topic. */
    private static final String NOBODY = "nobody";

    private final Publishing publishing;
    private final Path log;
    private final double loadBefore =
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    private final Samples samples = new Samples();

    private @Nullable Process process;
    private boolean closed;
    private Duration cpu = Duration.ZERO;

    PublishTrial(Publishing publishing, Path log) {
        this.publishing = publishing;
        this.log = log;
    }

    /** Starts the process and returns when it has ended and was measured; fails when that takes longer than {@code bound}. */
    PublishRun run(BrokerClient client, String topic, PublishRun.Plan plan, Duration bound) {
        MachineUse machineBefore = MachineUse.now(true);
        Process started = start();
        try {
            long deadline = System.nanoTime() + bound.toNanos();
            long stored = 0;
            while (stored < plan.readings() && !hasEnded(started, LOOK_MILLIS)) {
                if (System.nanoTime() > deadline) {
                    throw failed("was not at its end after " + bound.toSeconds() + " s", started);
                }
                stored = lookIfAnswered(client, topic, stored);
            }
            if (!hasEnded(started, END_BOUND.toMillis())) {
                throw failed("had sent all and did not end within " + END_BOUND.toSeconds() + " s", started);
            }
            if (started.exitValue() != 0) {
                throw failed("ended with exit code " + started.exitValue(), started);
            }
            return measured(plan, look(client, topic), MachineUse.now(true).since(machineBefore));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("was interrupted", started);
        }
    }

    /** Whether it has within that time. Its CPU time is gone with it, so that is asked for often. */
    private boolean hasEnded(Process started, long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!started.waitFor(CPU_LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            cpu = started.toHandle().info().totalCpuDuration().orElse(cpu);
            if (System.nanoTime() > end) {
                return false;
            }
        }
        return true;
    }

    private synchronized Process start() {
        if (closed) {
            throw new EnvironmentException("the benchmark was ended");
        }
        List<String> command = new ArrayList<>(List.of(Installation.java()));
        command.addAll(MEMORY);
        command.addAll(publishing.command());
        try {
            process = new ProcessBuilder(command)
                    .directory(log.getParent().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return process;
        } catch (IOException e) {
            throw new EnvironmentException("cannot start " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    /** A broker that is too busy to answer costs a sample, not the run: the last look must be answered. */
    private long lookIfAnswered(BrokerClient client, String topic, long before) {
        try {
            return look(client, topic);
        } catch (EnvironmentException e) {
            return before;
        }
    }

    private long look(BrokerClient client, String topic) {
        long count = client.lag(topic, NOBODY);
        samples.add(System.nanoTime(), count);
        return count;
    }

    private PublishRun measured(PublishRun.Plan plan, long stored, MachineUse machine) {
        PublishRun.Own own = publishing.own();
        return new PublishRun(
                plan,
                own.sent(),
                stored,
                samples.rateBetween(plan.readings() * COUNT_FROM, plan.readings() * COUNT_TO),
                own.readingsPerSecond(),
                own.p50Millis(),
                own.p99Millis(),
                own.intendedP99Millis(),
                cpu.toMillis() / 1e3 / (plan.readings() / 1e6),
                loadBefore,
                machine);
    }

    private EnvironmentException failed(String how, Process started) {
        return new EnvironmentException("process " + started.pid() + ", which publishes, " + how + "; the end of " + log
                + ":\n" + String.join("\n", Logs.last(log, LOG_LINES)));
    }

    @Override
    public void close() {
        Process running;
        synchronized (this) {
            closed = true;
            running = process;
        }
        if (running == null) {
            return;
        }
        running.destroyForcibly();
        try {
            running.waitFor(END_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
