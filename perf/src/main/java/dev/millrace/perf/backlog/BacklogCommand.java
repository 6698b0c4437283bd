package dev.millrace.perf.backlog;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.process.StopHook;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.TopicRoom;
import dev.millrace.perf.round.RoundOptions;
import dev.millrace.perf.variant.ClassPaths;
import dev.millrace.perf.variant.Variant;
import dev.millrace.perf.variant.VariantProcesses;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace benchmark backlog}. */
@CommandLine.Command(
        name = "backlog",
        description = {
            "Fill a topic with N readings, stop the generator, and drain it: once by the whole stack, then in each round by",
            "each variant, in random order. A variant has a process of its own, which first makes unmeasured passes.",
            "Every drain is audited against what the generator sent; one that is not equal makes the command fail."
        },
        footer = {
            "",
            "Variants:",
            "  raw        the client's loop, counted and dropped",
            "  plain      our reader, decoder and table without Flink and store",
            "  stock      a straightforward job on the official connector",
            "  published  a job as the published platform writes it, on RocksDB (slow: use fewer readings)",
            "  ours       the product's job",
            "Results are kept as JSON in RUN-DIR/results."
        })
public final class BacklogCommand implements Callable<Integer> {
    private static final int AUDIT_FAILED = 1;
    /** What a broker keeps beside each reading's own bytes; twice is room enough on every broker. */
    private static final int RETENTION_FACTOR = 2;

    private static final long RETENTION_LEAST = 1L << 30;
    /** An accumulator and what keeps it. */
    private static final long LEAST_ROW_BYTES = 560;

    private static final String QUIET = "quiet";

    @Mixin
    RoundOptions rounds;

    @Option(
            names = "--variants",
            paramLabel = "VARIANT",
            split = ",",
            description = "which variants (default: raw,plain,stock,ours, as far as the broker has them)")
    List<String> variantWords = List.of();

    @Option(names = "--readings", paramLabel = "N", defaultValue = "3000000", description = "default: ${DEFAULT-VALUE}")
    long readings;

    @Option(names = "--devices", paramLabel = "N", defaultValue = "6000", description = "default: ${DEFAULT-VALUE}")
    long devices;

    @Option(
            names = "--window",
            paramLabel = "TIME",
            defaultValue = "60s",
            description = "of event time, in which 10,000 readings are a second (default: ${DEFAULT-VALUE})")
    String window;

    @Option(
            names = "--warm-up-readings",
            paramLabel = "N",
            description =
                    "how far each unmeasured pass of a job but the first goes, at most 60 s; the first goes to the end (default:"
                            + " all; loops always read all)")
    @Nullable
    Long warmUpReadings;

    @Option(
            names = "--warm-up-passes",
            paramLabel = "N|quiet",
            defaultValue = QUIET,
            description =
                    "unmeasured passes in each process before the one that is measured; quiet: at least 2, at most 40 (15 if"
                            + " they take five minutes), until its compilers take less than 5 %% of the time (default:"
                            + " ${DEFAULT-VALUE})")
    String warmUpPasses;

    @Option(
            names = "--counting-store",
            description = "variants' rows go nowhere: the store is not to be what is measured; counted, not audited")
    boolean countingStore;

    private long heapBytes;
    private final List<Drain> drains = Collections.synchronizedList(new ArrayList<>());

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        List<Variant> variants = Variant.of(variantWords, problems);
        Map<String, String> options = options(problems, variants);
        Installation installation = Installation.here();
        Path runDir = rounds.runDir(installation);
        ClassPaths classPaths = new ClassPaths(installation);
        Map<String, List<Variant>> ofBrokers = new LinkedHashMap<>();
        rounds.brokers().forEach(broker -> installation.requireKnown(broker, List.of()));
        // Now, and not when the brokers before it have been measured for an hour.
        RoundOptions.refuse(withoutRoom(installation, options));
        for (String broker : rounds.brokers()) {
            ofBrokers.put(broker, variants(broker, variants, classPaths));
        }
        BacklogResult result = rounds.report(
                "backlog",
                runDir,
                () -> ofBrokers.forEach((broker, own) -> measure(installation, runDir, broker, own, options)),
                () -> new BacklogResult(asked(options), rounds.brokers(), List.copyOf(drains)));
        return result.isWhole() ? 0 : AUDIT_FAILED;
    }

    /** What {@code up} is given; all that is wrong with the command line is said here, with the problems there are. */
    Map<String, String> options(List<String> problems, List<Variant> variants) {
        RoundOptions.check(
                problems,
                readings >= 100_000,
                "--readings is " + readings + "; it must be at least 100000, or only the start is measured");
        RoundOptions.check(
                problems,
                warmUpReadings == null || warmUpReadings > 0,
                "--warm-up-readings is " + warmUpReadings + "; it must be 1 or more (--warm-up-passes 0: none)");
        RoundOptions.check(
                problems,
                warmUpPasses.equals(QUIET) || warmUpPasses.matches("[0-9]|[1-3][0-9]|40"),
                "--warm-up-passes is '" + warmUpPasses + "'; it must be '" + QUIET + "' or a number from 0 to 40");
        Map<String, String> options = rounds.up(problems);
        // Large state on the heap is large in every variant.
        heapBytes = Math.max(
                VariantProcesses.HEAP_BYTES,
                bytes(options, "taskmanager-memory", VariantProcesses.HEAP_BYTES, problems));
        options.putIfAbsent("devices", Long.toString(devices));
        options.putIfAbsent("window", window);
        Variant.refuseOtherWork(variants, options, problems);
        if (variants.isEmpty() || variants.contains(Variant.PLAIN)) {
            checkRows(options, problems);
        }
        // The whole backlog must stay until the last variant has read it.
        long bytes = bytes(options, "payload-bytes", 300, problems) * readings * RETENTION_FACTOR;
        options.putIfAbsent("retention-bytes", Long.toString(Math.max(RETENTION_LEAST, bytes)));
        RoundOptions.refuse(problems);
        return options;
    }

    /** A sentence for each broker whose server cannot keep all that is filled; of one that is not built that is said next. */
    private List<String> withoutRoom(Installation installation, Map<String, String> options) {
        return rounds.brokers().stream()
                .filter(installation.builtBrokers()::contains)
                .flatMap(broker -> installation.services(broker, Broker.class).stream())
                .flatMap(plugin -> TopicRoom.lacking(
                        plugin,
                        StackSettings.bind("--up", Options.of(FilledStack.up(plugin.name(), readings, options))),
                        0)
                        .stream())
                .map(BacklogCommand::withoutRoom)
                .toList();
    }

    private static String withoutRoom(TopicRoom room) {
        // Half as much again is room for what a process needs beside the readings.
        long enough = (room.keptBytes() / 2 * 3 >> 30) + 1;
        return "broker '" + room.broker() + "' keeps readings in its process only, which has room for "
                + Values.text(room.roomBytes()) + ", and the backlog may come to " + Values.text(room.keptBytes())
                + " (--up retention-bytes); name fewer --readings, or --up broker-memory=" + enough + "GiB";
    }

    /** The loop without Flink keeps its rows until all readings are through. */
    private void checkRows(Map<String, String> options, List<String> problems) {
        long perWindow;
        long most;
        try {
            long perSecond = Long.parseLong(options.getOrDefault("event-rate", "10000"));
            perWindow = Values.duration(options.get("window")).toMillis() * perSecond / 1000;
            most = Long.parseLong(options.get("devices"));
        } catch (IllegalArgumentException e) {
            // What is wrong with it up says itself.
            return;
        }
        long rows = Math.min(readings, most * (readings / Math.max(1, perWindow) + 1));
        long needed = rows * LEAST_ROW_BYTES;
        RoundOptions.check(
                problems,
                needed <= heapBytes,
                String.format(
                        Locale.ROOT,
                        "variant 'plain' keeps its rows in memory until all readings are through, and some %,d do not fit %s;"
                                + " --up taskmanager-memory=%dGiB is enough, or --variants without it",
                        rows,
                        Values.text(heapBytes),
                        (2 * needed >> 30) + 1));
    }

    private static long bytes(Map<String, String> options, String key, long otherwise, List<String> problems) {
        try {
            return Optional.ofNullable(options.get(key)).map(Values::bytes).orElse(otherwise);
        } catch (IllegalArgumentException e) {
            problems.add("--up " + key + ": " + e.getMessage());
            return otherwise;
        }
    }

    private static List<Variant> variants(String broker, List<Variant> named, ClassPaths classPaths) {
        if (named.isEmpty()) {
            return Arrays.stream(Variant.values())
                    .filter(variant -> variant != Variant.PUBLISHED && classPaths.has(broker, variant))
                    .toList();
        }
        named.forEach(variant -> classPaths.of(broker, variant));
        return named;
    }

    @SuppressWarnings("try") // a hook is held, not used
    private void measure(
            Installation installation,
            Path runDir,
            String broker,
            List<Variant> variants,
            Map<String, String> options) {
        rounds.progress(String.format(
                Locale.ROOT,
                "%s: filling %,d readings; then %d rounds of %s",
                broker,
                readings,
                rounds.count(),
                variants.stream().map(Variant::word).toList()));
        FilledStack stack = new FilledStack(broker, runDir, rounds::progress);
        try (StopHook ends = new StopHook("benchmark-stop", stack::close);
                stack;
                VariantProcesses processes = new VariantProcesses(installation, broker, heapBytes, stack.drains());
                DrainStores stores =
                        new DrainStores(installation, stack.drains().resolve("stores"))) {
            add(stack.fill(readings, options));
            Random random = new Random(rounds.seed());
            for (int round = 1; round <= rounds.count(); round++) {
                List<Variant> order = new ArrayList<>(variants);
                Collections.shuffle(order, random);
                for (Variant variant : order) {
                    rounds.progress(String.format(
                            Locale.ROOT, "round %d of %d: %s %s", round, rounds.count(), broker, variant.word()));
                    add(new VariantDrain(variant, processes.of(variant), round, stack, countingStore ? null : stores)
                            .run(warmUpPasses, warmUpReadings));
                }
            }
        }
    }

    private void add(Drain drain) {
        drains.add(drain);
        rounds.progress("  " + drain.sentence());
    }

    private Map<String, String> asked(Map<String, String> options) {
        return rounds.asked(
                options,
                Map.of(
                        "readings",
                        Long.toString(readings),
                        "warm-up-readings",
                        warmUpReadings == null ? "all" : warmUpReadings.toString(),
                        "warm-up-passes",
                        warmUpPasses));
    }
}
