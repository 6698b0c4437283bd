package dev.millrace.perf.latency;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.deploy.look.Table;
import dev.millrace.perf.probe.Disturbance;
import dev.millrace.perf.round.RoundJson;
import dev.millrace.perf.round.RoundResult;
import dev.millrace.perf.round.RoundText;
import dev.millrace.perf.variant.Variant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.descriptive.Median;

/**
 * All rounds of one call, and what follows from them.
 *
 * @param settings what was asked for, by name
 */
record LatencyResult(Map<String, String> settings, List<String> brokers, List<Latency> rounds) implements RoundResult {
    private static final String SCHEMA = "millrace-latency-1";

    @Override
    public boolean isEmpty() {
        return rounds.isEmpty();
    }

    /** Whether every round counted rows of a job that kept up. */
    boolean isWhole() {
        return !rounds.isEmpty() && rounds.stream().allMatch(Latency::counts);
    }

    /** By how much the p99 of ours is above that of {@code to}, milliseconds, one for each round that has both; ascending. */
    double[] above(String broker, Variant to) {
        return of(broker, Variant.OURS).stream()
                .flatMapToDouble(ours -> of(broker, to).stream()
                        .filter(other -> other.round() == ours.round())
                        .mapToDouble(other -> ours.p99() - other.p99()))
                .sorted()
                .toArray();
    }

    private List<Latency> of(String broker, Variant variant) {
        return rounds.stream()
                .filter(one -> one.broker().equals(broker) && one.variant().equals(variant.word()) && one.counts())
                .toList();
    }

    @Override
    public String text() {
        Table table =
                new Table("broker", "variant", "rounds", "rows", "p50 ms", "p99 ms", "least", "most", "greatest ms");
        StringBuilder sentences = new StringBuilder();
        for (String broker : brokers) {
            for (Variant variant : Variant.values()) {
                List<Latency> own = of(broker, variant);
                if (!own.isEmpty()) {
                    table.row(
                            broker,
                            variant.word(),
                            own.size(),
                            own.stream().mapToLong(Latency::rows).sum(),
                            one(median(own, Latency::p50)),
                            one(median(own, Latency::p99)),
                            one(sorted(own, Latency::p99)[0]),
                            one(sorted(own, Latency::p99)[own.size() - 1]),
                            one(sorted(own, Latency::max)[own.size() - 1]));
                }
            }
            for (Variant to : List.of(Variant.STOCK, Variant.PUBLISHED)) {
                double[] above = above(broker, to);
                if (above.length > 0) {
                    sentences.append(String.format(
                            Locale.ROOT,
                            "%s: p99 of ours less that of %s: %.1f ms (least %.1f, most %.1f of %d pairs)%n",
                            broker,
                            to.word(),
                            Median.withDefaults().evaluate(above),
                            above[0],
                            above[above.length - 1],
                            above.length));
                }
            }
        }
        long empty = rounds.stream().filter(one -> one.rows() == 0).count();
        if (empty > 0) {
            sentences.append(empty).append(" rounds had no row: they are in no figure, and the command fails\n");
        }
        long behind =
                rounds.stream().filter(one -> one.rows() > 0 && !one.keptUp()).count();
        if (behind > 0) {
            sentences
                    .append(behind)
                    .append(
                            " rounds had a job that did not keep up: they are in no figure, and the command fails; a lower --rate"
                                    + " is kept up with\n");
        }
        disturbances().forEach(one -> sentences.append("doubt: ").append(one).append('\n'));
        return table + sentences.toString()
                + "From the moment a row is due (its window's end and the out-of-orderness, by the clock) until it leaves the"
                + " windows: what broker and watermark interval take is in it, alike for all. Medians of rounds.\n";
    }

    private List<String> disturbances() {
        return rounds.stream()
                .flatMap(one -> Disturbance.sentences(
                        one.broker() + ": while rows of " + one.variant() + " were counted in round " + one.round()
                                + ", ",
                        one.machine())
                        .stream())
                .toList();
    }

    private static String one(double millis) {
        return RoundText.decimal(millis, 1);
    }

    private static double[] sorted(List<Latency> all, ToDoubleFunction<Latency> figure) {
        return all.stream().mapToDouble(figure).sorted().toArray();
    }

    private static double median(List<Latency> all, ToDoubleFunction<Latency> figure) {
        return Median.withDefaults().evaluate(sorted(all, figure));
    }

    @Override
    public String json() {
        RoundJson json = new RoundJson(SCHEMA, settings);
        ArrayNode measured = json.root().putArray("rounds");
        for (Latency round : rounds) {
            ObjectNode one = measured.addObject();
            one.put("broker", round.broker());
            one.put("variant", round.variant());
            one.put("round", round.round());
            one.put("rows", round.rows());
            one.put("keptUp", round.keptUp());
            RoundJson.put(one, "p50", round.p50());
            RoundJson.put(one, "p99", round.p99());
            RoundJson.put(one, "max", round.max());
            RoundJson.put(one, round.machine());
        }
        json.set("doubts", disturbances());
        ArrayNode all = json.root().putArray("p99OfOursLess");
        for (String broker : brokers) {
            for (Variant to : List.of(Variant.STOCK, Variant.PUBLISHED)) {
                double[] above = above(broker, to);
                if (above.length > 0) {
                    all.addObject()
                            .put("broker", broker)
                            .put("variant", to.word())
                            .put("pairs", above.length)
                            .put("medianMillis", Median.withDefaults().evaluate(above));
                }
            }
        }
        return json.text();
    }
}
