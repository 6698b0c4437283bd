package dev.millrace.perf.cost;

import dev.millrace.deploy.price.Price;
import dev.millrace.deploy.price.Prices;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the instances of a benchmark cost. It is kept in {@link BenchmarkResult#settings}, prices with date and source, so that a
 * result can be shown when price files have changed. Immutable.
 */
public final class Cost {
    /** The setting that has the instances, as the option has them; there is none when nobody named any. */
    public static final String INSTANCES = "instances";

    /** The setting that has the sum of their prices; not there when a type has none. */
    public static final String USD_PER_HOUR = "instances, USD per hour";

    /** Begins a setting of each type. */
    private static final String PRICE_OF = "price of ";

    /** Instead of a price. */
    public static final String NO_PRICE = "no price";

    private static final double SECONDS_PER_HOUR = 3_600;
    private static final double BILLION = 1e9;

    private final Map<String, String> settings;
    private final Optional<BigDecimal> usdPerHour;

    private Cost(Map<String, String> settings, Optional<BigDecimal> usdPerHour) {
        this.settings = Collections.unmodifiableMap(settings);
        this.usdPerHour = usdPerHour;
    }

    /** Of a machine that nobody named. */
    public static Cost unknown() {
        return new Cost(Map.of(), Optional.empty());
    }

    /** Of instances; not known when one of them has no price. */
    public static Cost of(Instances instances, Prices prices) {
        Map<String, String> settings = new TreeMap<>(Map.of(INSTANCES, instances.text()));
        BigDecimal sum = BigDecimal.ZERO;
        boolean isKnown = true;
        for (Instances.Group group : instances.groups()) {
            Optional<Price> price = prices.of(group.type());
            settings.put(PRICE_OF + group.type(), price.map(Price::text).orElse(NO_PRICE));
            isKnown &= price.isPresent();
            sum = sum.add(
                    price.map(Price::usdPerHour).orElse(BigDecimal.ZERO).multiply(BigDecimal.valueOf(group.count())));
        }
        if (!isKnown) {
            return new Cost(settings, Optional.empty());
        }
        settings.put(USD_PER_HOUR, sum.stripTrailingZeros().toPlainString());
        return new Cost(settings, Optional.of(sum));
    }

    /** Whether runs have the figure. */
    public boolean isKnown() {
        return usdPerHour.isPresent();
    }

    /** What a result's settings say about it, by name. */
    public Map<String, String> settings() {
        return settings;
    }

    /** The run with {@link Figure#COST}, when prices and its rate are known; else as it is. */
    public Run in(Run run) {
        double rate = run.figures().getOrDefault(Figure.ACCEPTED_RATE, Double.NaN);
        return usdPerHour.isPresent() && rate > 0
                ? run.with(Figure.COST, usdPerHour.get().doubleValue() / (rate * SECONDS_PER_HOUR) * BILLION)
                : run;
    }

    /** Each type that a result's settings name, with its price, date and source, or {@link #NO_PRICE}; sorted. */
    public static Map<String, String> prices(Map<String, String> settings) {
        Map<String, String> prices = new TreeMap<>();
        settings.forEach((key, value) -> {
            if (key.startsWith(PRICE_OF)) {
                prices.put(key.substring(PRICE_OF.length()), value);
            }
        });
        return prices;
    }

    /** Those of them that have none. */
    public static List<String> withoutPrice(Map<String, String> settings) {
        return prices(settings).entrySet().stream()
                .filter(entry -> entry.getValue().equals(NO_PRICE))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Whether a setting only says what instances cost, and not how a run was made. */
    public static boolean isPrice(String setting) {
        return setting.startsWith(PRICE_OF) || setting.equals(USD_PER_HOUR);
    }
}
