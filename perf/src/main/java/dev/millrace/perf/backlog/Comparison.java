package dev.millrace.perf.backlog;

import dev.millrace.perf.variant.Variant;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.descriptive.Median;

/**
 * One variant's rate against another's, by pairs of the same round: a machine that was slow for a while was slow for both.
 *
 * @param median of the rounds' ratios
 */
record Comparison(String broker, Variant of, Variant to, int pairs, double median, double least, double most) {

    /** Pairs of rounds in which both have a rate, and hold what was sent; a comparison of none has NaN for figures. */
    static Comparison of(String broker, Variant of, Variant to, List<Drain> all) {
        List<Drain> drains = all.stream().filter(Drain::counts).toList();
        double[] ratios = drains.stream()
                .filter(drain ->
                        drain.broker().equals(broker) && drain.variant().equals(of.word()))
                .flatMapToDouble(one -> drains.stream()
                        .filter(other -> other.broker().equals(broker)
                                && other.variant().equals(to.word())
                                && other.round() == one.round())
                        .mapToDouble(other -> one.readingsPerSecond() / other.readingsPerSecond()))
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        return new Comparison(
                broker,
                of,
                to,
                ratios.length,
                Median.withDefaults().evaluate(ratios),
                ratios.length == 0 ? Double.NaN : ratios[0],
                ratios.length == 0 ? Double.NaN : ratios[ratios.length - 1]);
    }

    /** The middle value; of an even number the mean of the two in the middle; NaN of none. */
    static double median(List<Drain> drains, ToDoubleFunction<Drain> figure) {
        return Median.withDefaults()
                .evaluate(drains.stream().mapToDouble(figure).toArray());
    }

    String sentence() {
        return String.format(
                Locale.ROOT,
                "%s: %s / %s = %.2f (least %.2f, most %.2f of %d pairs)",
                broker,
                of.word(),
                to.word(),
                median,
                least,
                most,
                pairs);
    }
}
