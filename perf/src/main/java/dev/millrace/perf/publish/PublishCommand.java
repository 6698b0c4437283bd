package dev.millrace.perf.publish;

import dev.millrace.core.process.StopHook;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.round.LeftStacks;
import dev.millrace.perf.round.RoundOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace benchmark publish}. */
@CommandLine.Command(
        name = "publish",
        description = {
            "Hold the generator, and its publisher with payloads made beforehand, against the broker's own load tool: a broker alone,",
            "and in each round all, in random order, each in a process of its own, on a topic of its own, with the same settings of",
            "the client and the same number and size of readings. First as fast as the broker takes them, then at half of what the",
            "slowest reached."
        },
        footer = {
            "",
            "Of --up there are: partitions, payload-bytes, broker-memory, broker.KEY.",
            "Results are kept as JSON in RUN-DIR/results. Exit code 1: a topic did not hold what was sent."
        })
public final class PublishCommand implements Callable<Integer> {
    private static final int READINGS_MISSING = 1;
    private static final long LEAST_READINGS = 100_000;

    @Mixin
    RoundOptions rounds;

    @Option(
            names = "--readings",
            paramLabel = "N",
            defaultValue = "10000000",
            description =
                    "of each run at full speed; in a short one both sides are being compiled; default: ${DEFAULT-VALUE}")
    long readings;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "of each run at half speed; in a short one the p99 is the start's; default: ${DEFAULT-VALUE}")
    int seconds;

    @Option(
            names = "--warm-up-rounds",
            paramLabel = "N",
            defaultValue = "1",
            description = "unmeasured rounds at full speed on the new broker (default: ${DEFAULT-VALUE})")
    int warmUpRounds;

    private final List<PublishRun> runs = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, String> tools = new LinkedHashMap<>();
    private final Map<String, List<String>> differences = new LinkedHashMap<>();

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        Map<String, String> up = rounds.up(problems);
        PublishLoad load = PublishLoad.of(up, problems);
        RoundOptions.check(
                problems,
                readings >= LEAST_READINGS,
                "--readings is " + readings + "; it must be at least " + LEAST_READINGS
                        + ", or only the start is measured");
        RoundOptions.check(
                problems,
                seconds >= 10 && seconds <= 3600,
                "--seconds is " + seconds + "; it must be from 10 to 3600: a tool may warm up for 5 of them");
        RoundOptions.check(
                problems,
                warmUpRounds >= 0 && warmUpRounds <= 10,
                "--warm-up-rounds is " + warmUpRounds + "; it must be from 0 to 10");
        Installation installation = Installation.here();
        // Now, and not when the brokers before it have been measured for minutes.
        rounds.brokers().stream().distinct().forEach(broker -> check(installation, broker, problems));
        RoundOptions.refuse(problems);
        Path base = rounds.runDir(installation);
        rounds.progress("order of the sides by seed " + rounds.seed());
        List<EnvironmentException> failures = new ArrayList<>();
        PublishResult result = rounds.report(
                "publish",
                base,
                () -> rounds.brokers().forEach(broker -> {
                    try {
                        measure(installation, base, broker, load);
                    } catch (EnvironmentException e) {
                        if (rounds.isInterrupted()) {
                            throw e;
                        }
                        // What was measured before is kept; the command fails all the same, at its end.
                        rounds.progress(broker + ": " + e.getMessage());
                        failures.add(e);
                    }
                }),
                () -> new PublishResult(
                        asked(load, up), rounds.seed(), rounds.brokers(), tools, differences, List.copyOf(runs)));
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        return result.isWhole() ? 0 : READINGS_MISSING;
    }

    private static void check(Installation installation, String broker, List<String> problems) {
        try {
            PluginWithTool.open(installation, broker).close();
        } catch (UserException e) {
            problems.add(e.getMessage());
        }
    }

    @SuppressWarnings("try") // a hook is held, not used
    private void measure(Installation installation, Path base, String broker, PublishLoad load) {
        try (PluginWithTool plugin = PluginWithTool.open(installation, broker);
                PublishServer server = new PublishServer(installation, plugin, load, LeftStacks.alone(base, broker));
                StopHook ends = new StopHook("publish-stop", server::close)) {
            tools.put(broker, plugin.tool().tool());
            differences.put(broker, plugin.tool().differences());
            rounds.progress(broker + ": the broker starts");
            server.start();
            Random random = new Random(rounds.seed());
            for (int round = 1; round <= warmUpRounds; round++) {
                round(server, broker, 0, 0, readings, random);
            }
            for (int round = 1; round <= rounds.count(); round++) {
                round(server, broker, round, 0, readings, random);
            }
            long half = PublishResult.halfOfCapacity(runs, broker);
            if (half == 0) {
                throw new EnvironmentException("broker '" + broker
                        + "' took the readings too fast to be counted, or a side lost some in every round;"
                        + " send more: --readings");
            }
            for (int round = 1; round <= rounds.count(); round++) {
                round(server, broker, round, half, half * seconds, random);
            }
        }
    }

    private void round(PublishServer server, String broker, int round, long perSecond, long count, Random random) {
        List<Side> order = new ArrayList<>(List.of(Side.values()));
        Collections.shuffle(order, random);
        for (Side side : order) {
            rounds.progress(String.format(
                    Locale.ROOT,
                    "%s: %s %s, %,d readings%s",
                    broker,
                    round == 0 ? "warm-up" : "round " + round + " of " + rounds.count(),
                    side.word(),
                    count,
                    perSecond == 0 ? "" : String.format(Locale.ROOT, " at %,d/s", perSecond)));
            PublishRun run = server.run(new PublishRun.Plan(broker, side, round, perSecond, count));
            rounds.progress("  " + run.sentence());
            if (round > 0) {
                runs.add(run);
            }
        }
    }

    private Map<String, String> asked(PublishLoad load, Map<String, String> up) {
        return rounds.asked(
                up,
                Map.of(
                        "readings", Long.toString(readings),
                        "seconds", Integer.toString(seconds),
                        "warm-up-rounds", Integer.toString(warmUpRounds),
                        "partitions", Integer.toString(load.partitions()),
                        "payload-bytes", Integer.toString(load.payloadBytes())));
    }
}
