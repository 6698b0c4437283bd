package dev.millrace.perf.backlog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.deploy.look.Table;
import dev.millrace.perf.probe.Disturbance;
import dev.millrace.perf.round.RoundJson;
import dev.millrace.perf.round.RoundResult;
import dev.millrace.perf.round.RoundText;
import dev.millrace.perf.variant.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * All drains of one call, and what follows from them.
 *
 * @param settings what was asked for, by name
 */
record BacklogResult(Map<String, String> settings, List<String> brokers, List<Drain> drains) implements RoundResult {
    private static final String SCHEMA = "millrace-backlog-1";
    /** A stock job below this share of the client's own rate would be a straw man. */
    static final double LEAST_STOCK_SHARE = 0.2;

    /** Every pair of variants that says something, of each broker that has both. */
    List<Comparison> comparisons() {
        List<Comparison> all = new ArrayList<>();
        for (String broker : brokers) {
            for (Variant to : List.of(Variant.PLAIN, Variant.RAW, Variant.STOCK, Variant.PUBLISHED)) {
                all.add(Comparison.of(broker, Variant.OURS, to, drains));
            }
            all.add(Comparison.of(broker, Variant.STOCK, Variant.RAW, drains));
        }
        return all.stream().filter(one -> one.pairs() > 0).toList();
    }

    /** Why a comparison must not be believed; empty when nothing speaks against it. */
    List<String> doubts() {
        Stream<String> strawMen = comparisons().stream()
                .filter(one -> one.of() == Variant.STOCK && one.to() == Variant.RAW && one.median() < LEAST_STOCK_SHARE)
                .map(one -> one.broker() + ": stock reaches less than " + LEAST_STOCK_SHARE
                        + " of raw; ours / stock is void: the stock job may be a straw man");
        Stream<String> different = drains.stream()
                .filter(drain -> drain.audit() == Drain.Verdict.DIFFERENT)
                .map(drain -> drain.broker() + ": " + drain.variant() + " of round " + drain.round()
                        + " does not hold what was sent; its figures are void");
        Stream<String> soon = drains.stream()
                .filter(drain -> !drain.variant().equals(Drain.STACK) && Double.isNaN(drain.readingsPerSecond()))
                .map(drain -> drain.broker() + ": " + drain.variant() + " of round " + drain.round()
                        + " was over too soon for a rate, and is in no ratio; more --readings give it one");
        Stream<String> disturbed = drains.stream()
                .flatMap(drain -> Disturbance.sentences(
                        drain.broker() + ": while " + drain.variant() + " of round " + drain.round() + " drained, ",
                        drain.machine())
                        .stream());
        Stream<String> few = comparisons().stream()
                .filter(one -> one.pairs() < 5)
                .limit(1)
                .map(one -> one.pairs() + " rounds are figures, not a verdict; 5 or more are one");
        return Stream.of(strawMen, different, soon, disturbed, few)
                .flatMap(list -> list)
                .toList();
    }

    @Override
    public boolean isEmpty() {
        return drains.stream().allMatch(drain -> drain.variant().equals(Drain.STACK));
    }

    boolean isWhole() {
        return drains.stream().noneMatch(drain -> drain.audit() == Drain.Verdict.DIFFERENT);
    }

    @Override
    public String text() {
        Table table = new Table(
                "broker",
                "variant",
                "drains",
                "audit",
                "readings/s median",
                "least",
                "most",
                "job cpu s/M",
                "broker cpu s/M",
                "store cpu s/M",
                "alloc B/reading",
                "compile s",
                "last row s");
        for (String broker : brokers) {
            List<String> variants = new ArrayList<>(List.of(Drain.STACK));
            for (Variant variant : Variant.values()) {
                variants.add(variant.word());
            }
            variants.forEach(variant -> row(table, broker, variant));
        }
        StringBuilder text = new StringBuilder(table.toString());
        comparisons().forEach(one -> text.append(one.sentence()).append('\n'));
        doubts().forEach(one -> text.append("doubt: ").append(one).append('\n'));
        return text.append("Rates are over the middle 80 % of readings, on one machine shared by broker, job and store:"
                        + " compare ratios, not machines.\n")
                .toString();
    }

    private void row(Table table, String broker, String variant) {
        List<Drain> own = drains.stream()
                .filter(drain ->
                        drain.broker().equals(broker) && drain.variant().equals(variant))
                .toList();
        if (own.isEmpty()) {
            return;
        }
        List<Drain> counted = own.stream().filter(Drain::counts).toList();
        table.row(
                broker,
                variant,
                counted.size(),
                own.stream()
                        .map(Drain::audit)
                        .max(Enum::compareTo)
                        .orElseThrow()
                        .word(),
                RoundText.whole(Comparison.median(counted, Drain::readingsPerSecond)),
                RoundText.whole(counted.stream()
                        .mapToDouble(Drain::readingsPerSecond)
                        .min()
                        .orElse(Double.NaN)),
                RoundText.whole(counted.stream()
                        .mapToDouble(Drain::readingsPerSecond)
                        .max()
                        .orElse(Double.NaN)),
                decimal(counted, Drain::jobCpuSecondsPerMillion),
                decimal(counted, Drain::brokerCpuSecondsPerMillion),
                decimal(counted, Drain::storeCpuSecondsPerMillion),
                decimal(counted, Drain::allocatedBytesPerReading),
                decimal(counted, Drain::compileSeconds),
                decimal(counted, Drain::secondsToLastRow));
    }

    private static String decimal(List<Drain> drains, ToDoubleFunction<Drain> figure) {
        return RoundText.decimal(Comparison.median(drains, figure), 2);
    }

    @Override
    public String json() {
        RoundJson json = new RoundJson(SCHEMA, settings);
        ArrayNode all = json.root().putArray("drains");
        for (Drain drain : drains) {
            ObjectNode one = all.addObject();
            one.put("broker", drain.broker());
            one.put("variant", drain.variant());
            one.put("round", drain.round());
            one.put("readings", drain.readings());
            one.put("audit", drain.audit().word());
            RoundJson.put(one, "readingsPerSecond", drain.readingsPerSecond());
            RoundJson.put(one, "secondsToLastRow", drain.secondsToLastRow());
            RoundJson.put(one, "jobCpuSecondsPerMillion", drain.jobCpuSecondsPerMillion());
            RoundJson.put(one, "brokerCpuSecondsPerMillion", drain.brokerCpuSecondsPerMillion());
            RoundJson.put(one, "storeCpuSecondsPerMillion", drain.storeCpuSecondsPerMillion());
            RoundJson.put(one, "allocatedBytesPerReading", drain.allocatedBytesPerReading());
            RoundJson.put(one, "compileSeconds", drain.compileSeconds());
            RoundJson.put(one, drain.machine());
            one.put("warmUpPasses", drain.warmUpPasses());
            one.put("warmUpReadings", drain.warmUpReadings());
        }
        ArrayNode ratios = json.root().putArray("ratios");
        for (Comparison comparison : comparisons()) {
            ObjectNode one = ratios.addObject();
            one.put("broker", comparison.broker());
            one.put("of", comparison.of().word());
            one.put("to", comparison.to().word());
            one.put("pairs", comparison.pairs());
            RoundJson.put(one, "median", comparison.median());
            RoundJson.put(one, "least", comparison.least());
            RoundJson.put(one, "most", comparison.most());
        }
        json.set("doubts", doubts());
        return json.text();
    }
}
