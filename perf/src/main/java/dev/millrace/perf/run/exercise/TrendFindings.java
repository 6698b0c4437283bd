package dev.millrace.perf.run.exercise;

import dev.millrace.perf.statistics.Digits;
import dev.millrace.perf.trend.BlockMedians;
import dev.millrace.perf.trend.Trend;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What is said of the trends of one run. The more is looked at, the more often something seems to grow by chance; so each series has
 * its share of the error that the confidence leaves (Bonferroni).
 */
final class TrendFindings {
    /** Of all pairs of blocks the share of which the later one is higher; what is flat for half of the time and then rises has 0.87. */
    private static final double HARDLY_EVER_FALLS = 0.85;

    private final double confidence;
    private final List<Series> series;
    private final List<String> reasons = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final Map<String, Double> evidence = new LinkedHashMap<>();

    /**
     * A quantity over the phase.
     *
     * @param name for people
     * @param unit the same
     * @param key of its slope in the evidence
     * @param bound of its growth in an hour; infinite for none
     */
    record Series(String name, String unit, String key, double bound, BlockMedians blocks) {}

    TrendFindings(double confidence, List<Series> series, double blockSeconds) {
        this.confidence = confidence;
        this.series = series.stream().filter(one -> one.blocks().size() > 0).toList();
        List<Series> tested = this.series.stream()
                .filter(one -> one.blocks().size() >= Trend.LEAST_BLOCKS)
                .toList();
        List<String> steady = new ArrayList<>();
        for (Series one : tested) {
            say(one, one.blocks().trend(), tested.size(), steady);
        }
        if (!steady.isEmpty()) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "no trend could be seen in %s (confidence %.4g %% for all of them together)",
                    String.join(", ", steady),
                    confidence * 100));
        }
        sayTooShort(blockSeconds);
        sayUnseen(series);
    }

    private void say(Series one, Trend trend, int tests, List<String> steady) {
        evidence.put(one.key(), trend.perHour());
        if (trend.p() * tests >= 1 - confidence || trend.perHour() == 0) {
            if (trend.perHour() > one.bound() && trend.pOfIndependent() * tests < 1 - confidence) {
                sayUntold(one, trend);
            } else {
                steady.add(one.name());
            }
            return;
        }
        boolean grows = trend.perHour() > 0;
        remarks.add(String.format(
                Locale.ROOT,
                "%s %s by %s %s an hour (Theil-Sen, over %d blocks; Mann-Kendall p = %.2g)",
                one.name(),
                grows ? "grows" : "falls",
                digits(Math.abs(trend.perHour())),
                one.unit(),
                one.blocks().size(),
                trend.p()));
        if (trend.perHour() > one.bound()) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "%s grows by %s %s an hour; at most %s are allowed",
                    one.name(),
                    apart(trend.perHour(), one.bound()),
                    one.unit(),
                    apart(one.bound(), trend.perHour())));
        }
    }

    /**
     * What rises along a curve leaves an arc beside the straight line of its slope, of which neighbours are as good as alike: then no
     * score is far enough from 0. What hardly ever falls is believed all the same.
     */
    private void sayUntold(Series one, Trend trend) {
        int blocks = one.blocks().size();
        double rising = (1 + trend.score() / (blocks * (blocks - 1) / 2.0)) / 2;
        String sentence = String.format(
                Locale.ROOT,
                "%s rose by %s %s an hour (Theil-Sen, over %d blocks), where at most %s are allowed; of %.0f %% of all pairs of"
                        + " blocks the later one is higher",
                one.name(),
                apart(trend.perHour(), one.bound()),
                one.unit(),
                blocks,
                apart(one.bound(), trend.perHour()),
                rising * 100);
        if (rising >= HARDLY_EVER_FALLS) {
            reasons.add(sentence);
        } else {
            remarks.add(sentence
                    + ": whether that is a trend cannot be told, as neighbouring blocks are so much alike; a longer"
                    + " measured phase would tell");
        }
    }

    private void sayTooShort(double blockSeconds) {
        List<Series> few = series.stream()
                .filter(one -> one.blocks().size() < Trend.LEAST_BLOCKS)
                .toList();
        if (!few.isEmpty()) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "too short for a trend: %d blocks of %.4g s at most, it takes %d (%s)",
                    few.stream().mapToInt(one -> one.blocks().size()).max().orElseThrow(),
                    blockSeconds,
                    Trend.LEAST_BLOCKS,
                    String.join(", ", few.stream().map(Series::name).toList())));
        }
    }

    /** A bound that nothing was held against must not look as if it had been kept. */
    private void sayUnseen(List<Series> all) {
        List<String> unseen = all.stream()
                .filter(one -> one.blocks().size() == 0)
                .map(Series::name)
                .toList();
        if (!unseen.isEmpty()) {
            remarks.add("not looked at, as nothing of it could be seen: " + String.join(", ", unseen));
        }
    }

    /** With so many digits that it is not taken for {@code other}. */
    private static String apart(double value, double other) {
        String text = digits(value);
        return text.equals(digits(other)) ? Digits.beyond(value, other, 0) : text;
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, value >= 100 || value == Math.rint(value) ? "%,.0f" : "%.2g", value);
    }

    Exercise.Found found() {
        return new Exercise.Found(Map.of(), evidence, reasons, remarks);
    }
}
