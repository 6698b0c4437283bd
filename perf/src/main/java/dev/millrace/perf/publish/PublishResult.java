package dev.millrace.perf.publish;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.deploy.look.Table;
import dev.millrace.perf.probe.Disturbance;
import dev.millrace.perf.round.RoundJson;
import dev.millrace.perf.round.RoundResult;
import dev.millrace.perf.round.RoundText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.descriptive.Median;

/**
 * All runs of one call, and what follows from them.
 *
 * @param settings what was asked for, by name
 * @param tools by broker, what it was compared with
 * @param differences by broker, in what the two differ whatever they are told
 */
record PublishResult(
        Map<String, String> settings,
        long seed,
        List<String> brokers,
        Map<String, String> tools,
        Map<String, List<String>> differences,
        List<PublishRun> runs)
        implements RoundResult {
    private static final String SCHEMA = "millrace-publish-2";
    /** Ours may be so much slower than the tool, for what it does beside. */
    static final double LEAST_RATE = 0.95;
    /** And its p99 so much longer. */
    static final double MOST_P99 = 1.1;

    private static final int LEAST_ROUNDS = 5;
    private static final double HALF = 0.5;

    /** Half of what the slower side reached at full speed in runs that count, readings per second; 0 when one has none. */
    static long halfOfCapacity(List<PublishRun> runs, String broker) {
        double capacity = Double.MAX_VALUE;
        for (Side side : Side.values()) {
            double median = median(
                    runs.stream()
                            .filter(run -> isOf(run, broker, true) && run.plan().side() == side && run.counts())
                            .toList(),
                    PublishRun::readingsPerSecond);
            capacity = Math.min(capacity, Double.isNaN(median) ? 0 : median);
        }
        return (long) (capacity * HALF);
    }

    private static boolean isOf(PublishRun run, String broker, boolean fullSpeed) {
        return run.plan().broker().equals(broker) && run.plan().isAtFullSpeed() == fullSpeed;
    }

    private List<PublishRun> of(String broker, boolean fullSpeed) {
        return runs.stream().filter(run -> isOf(run, broker, fullSpeed)).toList();
    }

    List<PublishRatio> ratios() {
        List<PublishRatio> all = new ArrayList<>();
        for (String broker : brokers) {
            for (Side side : List.of(Side.PUBLISHER, Side.GENERATOR)) {
                all.add(PublishRatio.of(
                        broker,
                        side,
                        "readings/s",
                        whole(broker, true),
                        PublishRun::readingsPerSecond,
                        LEAST_RATE,
                        false,
                        seed));
                all.add(PublishRatio.of(
                        broker,
                        side,
                        "p99 at half of that",
                        whole(broker, false),
                        PublishRun::p99Millis,
                        MOST_P99,
                        true,
                        seed));
            }
        }
        return all;
    }

    private List<PublishRun> whole(String broker, boolean fullSpeed) {
        return of(broker, fullSpeed).stream().filter(PublishRun::counts).toList();
    }

    /** Why the figures must not be believed; empty when nothing speaks against them. */
    List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        for (PublishRun run : runs) {
            String which = run.plan().broker() + ": " + run.plan().side().word() + " of round "
                    + run.plan().round();
            if (!run.isWhole()) {
                doubts.add(which
                        + String.format(
                                Locale.ROOT,
                                " was to send %,d readings and sent %,d, and its topic holds %,d; it is in no figure",
                                run.plan().readings(),
                                run.sent(),
                                run.stored()));
            } else if (!run.heldItsRate()) {
                doubts.add(which
                        + String.format(
                                Locale.ROOT,
                                " did not hold %,d readings/s (%,.0f); it is in no figure",
                                run.plan().askedPerSecond(),
                                run.readingsPerSecond()));
            }
            doubts.addAll(Disturbance.sentences(which + ": ", run.machine()));
        }
        int rounds =
                ratios().stream().mapToInt(one -> one.ratios().length).min().orElse(0);
        if (rounds < LEAST_ROUNDS) {
            doubts.add(rounds + " rounds are figures, not a verdict; " + LEAST_ROUNDS + " or more are one");
        }
        return doubts;
    }

    @Override
    public boolean isEmpty() {
        return runs.isEmpty();
    }

    /** Whether every topic held exactly what was sent. */
    boolean isWhole() {
        return !runs.isEmpty() && runs.stream().allMatch(PublishRun::isWhole);
    }

    @Override
    public String text() {
        Table table = new Table(
                "broker",
                "side",
                "rate",
                "runs",
                "readings/s median",
                "least",
                "most",
                "by its own clock",
                "p50 ms",
                "p99 ms",
                "p99 intended ms",
                "cpu s/M");
        for (String broker : brokers) {
            for (boolean fullSpeed : new boolean[] {true, false}) {
                for (Side side : Side.values()) {
                    row(table, broker, side, fullSpeed);
                }
            }
        }
        StringBuilder text = new StringBuilder(table.toString());
        ratios().forEach(one -> text.append(one.sentence()).append('\n'));
        doubts().forEach(one -> text.append("doubt: ").append(one).append('\n'));
        tools.forEach((broker, tool) -> {
            text.append(broker).append(": the tool is ").append(tool).append("; what the two do not have in common:\n");
            differences
                    .get(broker)
                    .forEach(one -> text.append("  - ").append(one).append('\n'));
        });
        return text.append(
                        "The generator makes each reading anew, encodes it and keeps a ledger; the publisher alone, and a tool, pick from"
                                + " the same payloads\nof random text, which are there, are as long, and compress otherwise.\n")
                .append("Readings/s are counted in the topic, from outside, between "
                        + Math.round(PublishTrial.COUNT_FROM * 100) + " % and "
                        + Math.round(PublishTrial.COUNT_TO * 100) + " % of them. p99 is from the call that sends to the"
                        + " broker's answer, as each\nmeasures it, and of as many as the"
                        + " tool keeps; intended is from when the reading was due. Compare ratios, not machines.\n")
                .toString();
    }

    private void row(Table table, String broker, Side side, boolean fullSpeed) {
        List<PublishRun> all = of(broker, fullSpeed).stream()
                .filter(run -> run.plan().side() == side)
                .toList();
        if (all.isEmpty()) {
            return;
        }
        List<PublishRun> own = all.stream().filter(PublishRun::counts).toList();
        table.row(
                broker,
                side.word(),
                fullSpeed
                        ? "max"
                        : String.format(Locale.ROOT, "%,d", all.get(0).plan().askedPerSecond()),
                own.size() == all.size() ? own.size() : own.size() + " of " + all.size(),
                RoundText.whole(median(own, PublishRun::readingsPerSecond)),
                RoundText.whole(own.stream()
                        .mapToDouble(PublishRun::readingsPerSecond)
                        .min()
                        .orElse(Double.NaN)),
                RoundText.whole(own.stream()
                        .mapToDouble(PublishRun::readingsPerSecond)
                        .max()
                        .orElse(Double.NaN)),
                RoundText.whole(median(own, PublishRun::ownReadingsPerSecond)),
                decimal(own, PublishRun::p50Millis),
                decimal(own, PublishRun::p99Millis),
                decimal(own, PublishRun::intendedP99Millis),
                decimal(own, PublishRun::cpuSecondsPerMillion));
    }

    private static String decimal(List<PublishRun> runs, ToDoubleFunction<PublishRun> figure) {
        return RoundText.decimal(median(runs, figure), 1);
    }

    /** Of the runs that have the figure; NaN without any. */
    private static double median(List<PublishRun> runs, ToDoubleFunction<PublishRun> figure) {
        return Median.withDefaults()
                .evaluate(runs.stream()
                        .mapToDouble(figure)
                        .filter(Double::isFinite)
                        .toArray());
    }

    @Override
    public String json() {
        RoundJson json = new RoundJson(SCHEMA, settings);
        json.set("tools", tools);
        json.set("differences", differences);
        ArrayNode all = json.root().putArray("runs");
        for (PublishRun run : runs) {
            ObjectNode one = all.addObject();
            one.put("broker", run.plan().broker());
            one.put("side", run.plan().side().word());
            one.put("round", run.plan().round());
            one.put("askedPerSecond", run.plan().askedPerSecond());
            one.put("readings", run.plan().readings());
            one.put("sent", run.sent());
            one.put("stored", run.stored());
            RoundJson.put(one, "readingsPerSecond", run.readingsPerSecond());
            RoundJson.put(one, "ownReadingsPerSecond", run.ownReadingsPerSecond());
            RoundJson.put(one, "p50Millis", run.p50Millis());
            RoundJson.put(one, "p99Millis", run.p99Millis());
            RoundJson.put(one, "intendedP99Millis", run.intendedP99Millis());
            RoundJson.put(one, "cpuSecondsPerMillion", run.cpuSecondsPerMillion());
            RoundJson.put(one, "loadBefore", run.loadBefore());
            RoundJson.put(one, run.machine());
        }
        ArrayNode ratios = json.root().putArray("ratios");
        for (PublishRatio ratio : ratios()) {
            ObjectNode one = ratios.addObject();
            one.put("broker", ratio.broker());
            one.put("side", ratio.side().word());
            one.put("figure", ratio.figure());
            one.put("pairs", ratio.ratios().length);
            RoundJson.put(one, "median", ratio.median());
            RoundJson.put(one, "low", ratio.interval().low());
            RoundJson.put(one, "high", ratio.interval().high());
            one.put("limit", ratio.limit());
            one.put("kept", ratio.isKept());
            one.put("shown", ratio.isShown());
        }
        json.set("doubts", doubts());
        return json.text();
    }
}
