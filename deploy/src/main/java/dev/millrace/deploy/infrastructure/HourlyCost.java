package dev.millrace.deploy.infrastructure;

import dev.millrace.deploy.price.Price;
import dev.millrace.deploy.price.Prices;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What the machines of a plan cost in an hour.
 *
 * @param lines of each group
 */
public record HourlyCost(List<Line> lines) {
    public HourlyCost {
        lines = List.copyOf(lines);
    }

    /** A group with the price of one of its machines; empty when there is none for that region. */
    public record Line(NodeGroup group, Optional<Price> price) {
        /** Of all its machines together, USD. */
        public Optional<BigDecimal> usdPerHour() {
            return price.map(one -> one.usdPerHour().multiply(BigDecimal.valueOf(group.nodes())));
        }
    }

    /** A price counts only for the region that it is of. */
    public static HourlyCost of(List<NodeGroup> groups, String region, Prices prices) {
        return new HourlyCost(groups.stream()
                .map(group -> new Line(group, prices.of(group.type()).filter(price -> price.region()
                        .equals(region))))
                .toList());
    }

    /** USD in an hour, of all machines; empty when one has no price. */
    public Optional<BigDecimal> sum() {
        return lines.stream()
                .map(Line::usdPerHour)
                .reduce((one, other) -> one.flatMap(sum -> other.map(sum::add)))
                .orElse(Optional.of(BigDecimal.ZERO));
    }

    /** Of which region and day the prices are and who had them; each once. */
    public List<String> sources() {
        TreeSet<String> sources = new TreeSet<>();
        lines.forEach(line -> line.price()
                .ifPresent(
                        price -> sources.add(String.join(", ", price.region(), price.operatingSystem(), price.terms())
                                + ", " + price.date() + ", " + price.source())));
        return List.copyOf(sources);
    }
}
