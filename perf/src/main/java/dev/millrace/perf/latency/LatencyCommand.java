package dev.millrace.perf.latency;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.core.process.StopHook;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.Logs;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.probe.MachineWatch;
import dev.millrace.perf.round.LeftStacks;
import dev.millrace.perf.round.RoundOptions;
import dev.millrace.perf.round.StackUp;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.variant.ClassPaths;
import dev.millrace.perf.variant.Variant;
import dev.millrace.perf.variant.VariantProcesses;
import dev.millrace.perf.variant.VariantSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace benchmark latency}. */
@CommandLine.Command(
        name = "latency",
        description = {
            "Bring a stack up with a constant load, and beside it run each variant in turn, in random order: how long after it",
            "was due does a window's row leave the windows? A variant has a process of its own, warm from the second round on."
        },
        footer = {
            "",
            "Variants: stock, published, ours. Results are kept as JSON in RUN-DIR/results. Exit code 1: a round counted no row, or its job did not keep up."
        })
public final class LatencyCommand implements Callable<Integer> {
    private static final int NOTHING_COUNTED = 1;
    /** A process starts, and its job catches up with the topic. */
    private static final Duration START_BOUND = Duration.ofMinutes(5);

    private static final long RETENTION_LEAST = 1L << 30;
    private static final int BYTES_OF_A_READING = 400;
    private static final int LOG_LINES = 12;

    /** Event times that are not the clock's, or an end of the readings. */
    private static final List<String> NOT_BY_THE_CLOCK = List.of("acceleration", "start", "readings", "duration");

    @Mixin
    RoundOptions rounds;

    @Option(
            names = "--variants",
            paramLabel = "VARIANT",
            split = ",",
            defaultValue = "stock,ours",
            description = "which variants (default: ${DEFAULT-VALUE})")
    List<String> variantWords = List.of();

    @Option(names = "--rate", paramLabel = "N", defaultValue = "20000", description = "default: ${DEFAULT-VALUE}")
    long rate;

    @Option(names = "--devices", paramLabel = "N", defaultValue = "1000", description = "default: ${DEFAULT-VALUE}")
    long devices;

    @Option(names = "--window", paramLabel = "TIME", defaultValue = "1s", description = "default: ${DEFAULT-VALUE}")
    String window;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "30",
            description = "that are counted in a round (default: ${DEFAULT-VALUE})")
    int seconds;

    @Option(
            names = "--warm-up-seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "before them, once the job has caught up with the topic (default: ${DEFAULT-VALUE})")
    int warmUpSeconds;

    private final List<Latency> latencies = Collections.synchronizedList(new ArrayList<>());

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        Map<String, String> options = rounds.up(problems);
        NOT_BY_THE_CLOCK.stream()
                .filter(options::containsKey)
                .forEach(key -> problems.add("--up has '" + key
                        + "', but latencies are of readings that come by the clock and do not end;" + " leave it out"));
        RoundOptions.check(problems, seconds >= 1, "--seconds is " + seconds + "; it must be 1 or more");
        RoundOptions.check(
                problems, warmUpSeconds >= 1, "--warm-up-seconds is " + warmUpSeconds + "; it must be 1 or more");
        List<Variant> variants = Variant.of(variantWords, problems);
        variants.stream()
                .filter(variant -> !variant.isJob())
                .forEach(variant -> problems.add("--variants has '" + variant.word() + "', which is no Flink job"));
        options.putIfAbsent("rate", Long.toString(rate));
        options.putIfAbsent("devices", Long.toString(devices));
        options.putIfAbsent("window", window);
        Variant.refuseOtherWork(variants, options, problems);
        RoundOptions.refuse(problems);
        // What a job is about to read must not be dropped under its hands; three times what is planned, for catching
        // up.
        long planned = (long) rounds.count() * variants.size() * (seconds + warmUpSeconds);
        options.putIfAbsent(
                "retention-bytes", Long.toString(Math.max(RETENTION_LEAST, 3 * planned * rate * BYTES_OF_A_READING)));
        Installation installation = Installation.here();
        ClassPaths classPaths = new ClassPaths(installation);
        rounds.brokers().forEach(broker -> installation.requireKnown(broker, List.of()));
        rounds.brokers().forEach(broker -> variants.forEach(variant -> classPaths.of(broker, variant)));
        Path base = rounds.runDir(installation);
        LatencyResult result = rounds.report(
                "latency",
                base,
                () -> rounds.brokers().forEach(broker -> measure(installation, base, broker, variants, options)),
                () -> new LatencyResult(asked(options), rounds.brokers(), List.copyOf(latencies)));
        return result.isWhole() ? 0 : NOTHING_COUNTED;
    }

    @SuppressWarnings("try") // a hook is held, not used
    private void measure(
            Installation installation, Path base, String broker, List<Variant> variants, Map<String, String> options) {
        RunDirectory directory = RunDirectory.of(base, broker);
        Path folder = directory.benchmarkFolder().resolve("drains");
        try (StopHook ends = new StopHook("benchmark-stop", () -> down(directory, base, broker));
                VariantProcesses processes =
                        new VariantProcesses(installation, broker, VariantProcesses.HEAP_BYTES, folder)) {
            bringUp(base, broker, options);
            Random random = new Random(rounds.seed());
            for (int round = 1; round <= rounds.count(); round++) {
                List<Variant> order = new ArrayList<>(variants);
                Collections.shuffle(order, random);
                for (Variant variant : order) {
                    rounds.progress(String.format(
                            Locale.ROOT,
                            "round %d of %d: %s %s, %d s",
                            round,
                            rounds.count(),
                            broker,
                            variant.word(),
                            warmUpSeconds + seconds));
                    Latency one = round(directory, folder, processes, variant, round);
                    latencies.add(one);
                    rounds.progress("  "
                            + (one.rows() > 0
                                    ? one.sentence()
                                    : "no row left the windows; what its process said last:\n"
                                            + String.join(
                                                    "\n",
                                                    Logs.last(
                                                            processes
                                                                    .of(variant)
                                                                    .log(),
                                                            LOG_LINES))));
                }
            }
        } finally {
            down(directory, base, broker);
        }
    }

    private static void bringUp(Path base, String broker, Map<String, String> options) {
        List<String> arguments = new ArrayList<>(List.of("up", "--broker", broker, "--run-dir", base.toString()));
        options.forEach((key, value) -> arguments.add("--" + key + "=" + value));
        LeftStacks.mark(RunDirectory.of(base, broker));
        StackUp.require(broker, Millrace.run(System.err, arguments.toArray(String[]::new)));
    }

    private static synchronized void down(RunDirectory directory, Path base, String broker) {
        if (directory.settings().isPresent()) {
            Millrace.run(System.err, "down", "--broker", broker, "--run-dir", base.toString());
        }
    }

    private Latency round(RunDirectory directory, Path all, VariantProcesses processes, Variant variant, int round) {
        Path folder = all.resolve(round + "-" + variant.word());
        StackState state = directory.presentState();
        try {
            Folders.delete(folder);
            Files.createDirectories(folder);
            Map<String, String> values = VariantSettings.of(directory.presentSettings(), state, variant, round, folder);
            values.put("stop-at", "never");
            values.put("store", "counting");
            values.put("drain.warm-up-seconds", Integer.toString(warmUpSeconds));
            values.put("drain.latency-seconds", Integer.toString(seconds));
            Path answer = VariantSettings.result(folder);
            Duration bound = START_BOUND.plusSeconds((long) warmUpSeconds + seconds);
            Path asked = VariantSettings.write(folder, values);
            MachineUse machine;
            try (MachineWatch watch = MachineWatch.start(Mark.isStartedHere(state))) {
                processes.of(variant).drain(asked, answer, bound);
                long endNanos = System.nanoTime();
                machine = watch.between(endNanos - TimeUnit.SECONDS.toNanos(seconds), endNanos);
            }
            JsonNode result = new ObjectMapper().readTree(answer.toFile());
            Folders.delete(folder);
            return new Latency(
                    directory.broker(),
                    variant.word(),
                    round,
                    result.get("rows").asLong(),
                    result.get("keptUp").asBoolean(),
                    result.get("p50Millis").asDouble(),
                    result.get("p99Millis").asDouble(),
                    result.get("maxMillis").asDouble(),
                    machine);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write in " + folder + ": " + e.getMessage(), e);
        }
    }

    private Map<String, String> asked(Map<String, String> options) {
        return rounds.asked(
                options,
                Map.of("seconds", Integer.toString(seconds), "warm-up-seconds", Integer.toString(warmUpSeconds)));
    }
}
