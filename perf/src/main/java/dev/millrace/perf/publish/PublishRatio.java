package dev.millrace.perf.publish;

import dev.millrace.perf.statistics.PairedInterval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.descriptive.Median;

/**
 * A figure of one of our sides over that of the tool, by pairs of the same round: what slowed one for a while slowed both.
 *
 * @param figure what it is, with its unit
 * @param median of the rounds' ratios; NaN without any
 * @param interval of the ratio's geometric mean; without bounds below five pairs
 * @param limit what the median is held against
 * @param most whether the limit is the greatest that is right, or else the least
 */
record PublishRatio(
        String broker,
        Side side,
        String figure,
        double[] ratios,
        double median,
        PairedInterval interval,
        double limit,
        boolean most) {

    /** Rounds in which both sides have the figure; {@code runs} are of one broker and one rate. */
    static PublishRatio of(
            String broker,
            Side side,
            String figure,
            List<PublishRun> runs,
            ToDoubleFunction<PublishRun> value,
            double limit,
            boolean most,
            long seed) {
        List<Double> ours = new ArrayList<>();
        List<Double> tool = new ArrayList<>();
        for (PublishRun one : runs) {
            for (PublishRun other : runs) {
                if (one.plan().side() == side
                        && other.plan().side() == Side.TOOL
                        && one.plan().round() == other.plan().round()
                        && Double.isFinite(value.applyAsDouble(one) / value.applyAsDouble(other))) {
                    ours.add(value.applyAsDouble(one));
                    tool.add(value.applyAsDouble(other));
                }
            }
        }
        double[] ratios = new double[ours.size()];
        Arrays.setAll(ratios, i -> ours.get(i) / tool.get(i));
        Arrays.sort(ratios);
        return new PublishRatio(
                broker,
                side,
                figure,
                ratios,
                Median.withDefaults().evaluate(ratios),
                PairedInterval.of(doubles(tool), doubles(ours), seed),
                limit,
                most);
    }

    private static double[] doubles(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Whether the median keeps the limit; none does not. */
    boolean isKept() {
        return most ? median <= limit : median >= limit;
    }

    /** Whether the whole interval is on the median's side of the limit; an interval that is not known shows nothing. */
    boolean isShown() {
        return most == isKept() ? interval.high() <= limit : interval.low() >= limit;
    }

    String sentence() {
        if (ratios.length == 0) {
            return broker + ": no round has " + figure + " of " + side.word() + " and tool";
        }
        String interval = Double.isNaN(this.interval.low())
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; 95 %% interval of the mean %.3f to %.3f",
                        this.interval.low(),
                        this.interval.high());
        return String.format(
                Locale.ROOT,
                "%s: %s, %s / tool = %.3f (least %.3f, most %.3f of %d pairs%s); %s %.2f: %s",
                broker,
                figure,
                side.word(),
                median,
                ratios[0],
                ratios[ratios.length - 1],
                ratios.length,
                interval,
                most ? "at most" : "at least",
                limit,
                (isKept() ? "yes" : "NO") + (isShown() ? "" : " in the median, not shown: " + whyNotShown()));
    }

    private String whyNotShown() {
        return Double.isNaN(interval.low())
                ? "there are too few pairs for an interval"
                : "the interval has both sides of the limit";
    }
}
