package dev.millrace.deploy.look;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.FlinkRest;
import dev.millrace.deploy.local.Http;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Asks everybody about one stack at the same time, each with a bound: a part that is down leaves its figures out and never
 * holds the rest up. Used by one thread.
 */
public final class StackLook implements AutoCloseable {
    private static final Duration SPAN = Duration.ofSeconds(1);
    /** From the start of a look; the broker's client alone takes about a second to connect. */
    private static final Duration BOUND = Duration.ofSeconds(5);
    /**
     * For the broker's settings, in the first look: a plugin's classes and a client's first connection are seconds of CPU,
     * more on a machine that is busy, and a command that looks once has no second look to show them.
     */
    private static final Duration FIRST_BOUND = Duration.ofSeconds(15);
    /** Who looks this seldom wants to know how long sends take now. */
    private static final Duration OF_LATE = Duration.ofSeconds(10);

    private final Supplier<Broker> plugin;
    private final RunDirectory directory;
    /** Threads are daemons: one that waits for a part that is down must not keep the command alive. */
    private final ExecutorService asking = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "millrace-look");
        thread.setDaemon(true);
        return thread;
    });

    private @Nullable EffectiveSettings effective;
    private boolean looked;
    /** As the look before saw them. */
    private @Nullable SendBuckets sends;

    private final AtomicBoolean countsRows = new AtomicBoolean();

    /** With the stack's own plugin; while that is away, a look shows all the rest. */
    public StackLook(RunDirectory directory) {
        this(() -> Installation.of(directory).load(directory.broker()), directory);
    }

    /** @param plugin the broker's, for a process that has it on its class path; asked for until the broker has answered */
    public StackLook(Supplier<Broker> plugin, RunDirectory directory) {
        this.plugin = plugin;
        this.directory = directory;
        // Now, by one thread: clients that log from several while logging begins make it say so, on the person's
        // screen.
        LoggerFactory.getILoggerFactory();
    }

    /**
     * One look; takes at least a second (cores are measured over one) and at most about five, the first one fifteen when the
     * broker lives and is mute.
     */
    public StackStatus look() {
        StackState state = directory.state().orElse(StackState.of(Map.of()));
        Optional<StackSettings> settings = directory.settings();
        Map<String, Long> pids = alive(state);
        long start = System.nanoTime();
        long deadline = start + BOUND.toNanos();
        UsedCores cores = new UsedCores(pids);
        Future<Optional<FlinkRest>> flink = ask(() -> flink(state));
        Future<Optional<GeneratorClient.State>> generator =
                ask(() -> withUrl(state, StackState.GENERATOR).flatMap(url -> new GeneratorClient(url).state()));
        Future<Optional<StoreClient.Extent>> extent = ask(() -> mayAnswer(state, pids, StackState.STORE)
                ? extent(settings.map(StackSettings::store).orElse(""), state)
                : Optional.empty());
        Future<Optional<EffectiveSettings>> ofBroker = effective != null || !mayAnswer(state, pids, StackState.BROKER)
                ? ask(() -> Optional.ofNullable(effective))
                : ask(() -> settings.map(StackSettings::topic).map(topic -> effective(state, topic)));
        Future<Optional<SendBuckets>> sendsBefore = sendsBefore(state);
        Map<String, Double> used = cores.measured(SPAN);
        // What the JobManager had in store when the look began may be of yesterday.
        Future<Optional<FlinkRest.Job>> job = ask(() -> answer(flink, deadline).flatMap(FlinkRest::job));
        Optional<SendQuantiles> send = sendsSince(sendsBefore, state, deadline);
        Optional<FlinkRest.Job> jobSaid = answer(job, deadline);
        Optional<GeneratorClient.State> generatorSaid = answer(generator, deadline);
        // Figures of the attempt before would look like figures of now.
        Optional<FlinkRest.Job> jobRuns = jobSaid.filter(FlinkRest.Job::runs);
        Optional<GeneratorClient.State> generatorRuns = generatorSaid.filter(GeneratorClient.State::isUp);
        Optional<StoreClient.Extent> extentSaid = answer(extent, deadline);
        effective = answer(ofBroker, looked ? deadline : start + FIRST_BOUND.toNanos())
                .orElse(effective);
        looked = true;
        Condition condition = Condition.of(state, pids, jobSaid, generatorSaid)
                .orElseIf(
                        state.isForeignStore() && extentSaid.isEmpty(),
                        "the store at " + state.part(StackState.STORE).url()
                                + ", your own, does not answer; windows wait")
                .withCheckpoint(jobRuns, checkpointInterval(settings), System.currentTimeMillis())
                .withDisk(jobRuns.map(FlinkRest.Job::stateDiskSyncsPerSecond).orElse(OptionalDouble.empty()))
                .orStopping(directory.isStopping());
        return new StackStatus(
                directory.broker(),
                effective,
                state.jobJarSha256().isEmpty() ? null : state.jobJarSha256(),
                condition.state(),
                condition.message(),
                generatorRuns.map(GeneratorClient.State::readingsSent).orElse(null),
                processed(settings, condition, generatorRuns, jobRuns),
                extentSaid.map(StoreClient.Extent::windows).orElse(null),
                extentSaid.map(StoreClient.Extent::latestTimes).orElse(null),
                jobRuns.map(said -> boxed(said.pendingRecords())).orElse(null),
                generatorRuns.map(GeneratorClient.State::rateReadingsPerSecond).orElse(null),
                generatorRuns.map(GeneratorClient.State::isPaced).orElse(null),
                send.orElse(null),
                extentSaid
                        .map(StoreClient.Extent::lastWindowEnd)
                        .filter(end -> end != Long.MIN_VALUE)
                        .map(Instant::ofEpochMilli)
                        .orElse(null),
                settings.map(StackSettings::parallelism).orElse(null),
                settings.map(StackSettings::partitions).orElse(null),
                jobRuns.map(said -> boxed(said.backPressure())).orElse(null),
                jobSaid.map(said -> boxed(said.checkpointMillis())).orElse(null),
                AuditNote.in(directory).orElse(null),
                BenchmarkNote.in(directory).orElse(null),
                state.isForeignBroker(),
                used,
                urls(state),
                pids);
    }

    /** The JobManager's, which fetches figures meanwhile. */
    private Optional<FlinkRest> flink(StackState state) {
        Optional<FlinkRest> flink = withUrl(state, StackState.JOB_MANAGER).map(url -> FlinkRest.of(directory, state));
        flink.ifPresent(FlinkRest::fetchMetrics);
        return flink;
    }

    /** As the look before saw them; where that was none, or long ago, as they are now. */
    private Future<Optional<SendBuckets>> sendsBefore(StackState state) {
        SendBuckets last = sends;
        return last != null && last.age().compareTo(OF_LATE) < 0
                ? CompletableFuture.completedFuture(Optional.of(last))
                : ask(() -> sends(state));
    }

    private Optional<SendQuantiles> sendsSince(
            Future<Optional<SendBuckets>> before, StackState state, long deadlineNanos) {
        Optional<SendBuckets> earlier = answer(before, deadlineNanos);
        Optional<SendBuckets> now = answer(ask(() -> sends(state)), deadlineNanos);
        sends = now.orElse(null);
        return now.flatMap(said -> earlier.flatMap(said::since));
    }

    private static Optional<SendBuckets> sends(StackState state) {
        return Optional.of(state.part(StackState.GENERATOR).metricsUrl())
                .filter(url -> !url.isEmpty())
                .flatMap(Http::get)
                .flatMap(SendBuckets::of);
    }

    /**
     * What the job has read in all. Its own counter begins anew with every restart: where this is not known, that one's figure
     * would be a leap down and up again. Where other generators send, too, the lag is that of all.
     */
    static @Nullable Long processed(
            Optional<StackSettings> settings,
            Condition condition,
            Optional<GeneratorClient.State> generator,
            Optional<FlinkRest.Job> job) {
        if (settings.filter(StackSettings::hasOtherGenerators).isPresent()) {
            return null;
        }
        Long sent = generator.map(GeneratorClient.State::readingsSent).orElse(null);
        if (condition.state().equals("finished")) {
            return sent;
        }
        Long lag = job.map(said -> boxed(said.pendingRecords())).orElse(null);
        return sent != null && lag != null ? Long.valueOf(Math.max(0, sent - lag)) : null;
    }

    private static Duration checkpointInterval(Optional<StackSettings> settings) {
        return settings.map(known -> Values.duration(known.text("checkpoint-interval")))
                .orElse(Duration.ZERO);
    }

    private static boolean mayAnswer(StackState state, Map<String, Long> pids, String part) {
        return pids.containsKey(part) || state.part(part).isKeptByOthers();
    }

    private static Map<String, Long> alive(StackState state) {
        Map<String, Long> pids = new LinkedHashMap<>();
        state.parts().forEach((name, part) -> {
            if (part.pid() > 0
                    && ProcessHandle.of(part.pid())
                            .filter(ServerProcess::isAlive)
                            .isPresent()) {
                pids.put(name, part.pid());
            }
        });
        return pids;
    }

    private static Map<String, String> urls(StackState state) {
        Map<String, String> urls = new LinkedHashMap<>();
        state.parts().forEach((name, part) -> {
            if (!part.url().isEmpty()) {
                urls.put(name, part.url());
            }
        });
        if (!state.brokerAddress().isEmpty()) {
            urls.putIfAbsent(StackState.BROKER, state.brokerAddress());
        }
        state.parts().forEach((name, part) -> {
            if (!part.metricsUrl().isEmpty()) {
                urls.put(name + "-metrics", part.metricsUrl());
            }
        });
        return urls;
    }

    private static Optional<String> withUrl(StackState state, String part) {
        return Optional.of(state.part(part).url()).filter(url -> !url.isEmpty());
    }

    /** Empty while a look before this one still waits: a store that is slow with many rows must not count them twice at a time. */
    private Optional<StoreClient.Extent> extent(String store, StackState state) {
        if (!countsRows.compareAndSet(false, true)) {
            return Optional.empty();
        }
        try (StoreClient client = ResultStores.named(store).connect(state.storeOptions())) {
            return Optional.of(client.extent());
        } finally {
            countsRows.set(false);
        }
    }

    private EffectiveSettings effective(StackState state, String topic) {
        try (BrokerClient client = plugin.get().connect(state.brokerOptions())) {
            return client.effectiveSettings(topic);
        }
    }

    private <T> Future<Optional<T>> ask(Callable<Optional<T>> question) {
        return asking.submit(question);
    }

    private static <T> Optional<T> answer(Future<Optional<T>> future, long deadlineNanos) {
        try {
            return future.get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // A part that is down or mute: its figures are not known, and status says so by leaving them out.
            future.cancel(true);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static @Nullable Long boxed(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }

    private static @Nullable Double boxed(OptionalDouble number) {
        return number.isPresent() ? number.getAsDouble() : null;
    }

    @Override
    public void close() {
        asking.shutdownNow();
    }
}
