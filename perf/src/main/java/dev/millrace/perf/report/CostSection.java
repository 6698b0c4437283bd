package dev.millrace.perf.report;

import dev.millrace.perf.cost.Cost;
import dev.millrace.perf.report.Grid.Column;
import dev.millrace.perf.report.Grid.Row;
import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.Ceiling;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.statistics.descriptive.Median;

/** What a report says about cost: what the instances cost that were named, or that none was. */
final class CostSection {
    private static final String UNNAMED = "No price: this machine is no instance type that was named (--instances).";
    private static final String NAMED =
            "The instances are those that --instances named, by their list prices; nothing checks that it ran on them.";
    private static final String NOT_INCLUDED = "Not included, as no price with a source and a date is here: EBS, S3,"
            + " traffic between zones, the EKS control plane.";
    private static final String FIXED_RATE =
            "At a fixed rate that all brokers keep, cost is the same; it differs at each"
                    + " broker's own capacity (the scenario capacity, where its search ends below the greatest rate that it tries).";

    private final Findings findings;
    private final Map<String, String> settings;

    CostSection(Findings findings) {
        this.findings = findings;
        this.settings = findings.result().settings();
    }

    /** Never empty. */
    List<String> sentences() {
        if (!isNamed()) {
            return List.of(UNNAMED);
        }
        List<String> unpriced = Cost.withoutPrice(settings);
        if (!unpriced.isEmpty()) {
            return List.of(
                    "There is no price for " + String.join(", ", unpriced) + ", so no run has a cost.",
                    NAMED,
                    NOT_INCLUDED);
        }
        List<String> sentences = new ArrayList<>(List.of(NAMED, FIXED_RATE));
        for (String subject : findings.subjects()) {
            capped(subject).ifPresent(sentences::add);
        }
        sentences.add(NOT_INCLUDED);
        return sentences;
    }

    /** What is bounded by the rig is not the broker's own. */
    private Optional<String> capped(String subject) {
        List<Run> valid = findings.valid(subject);
        long capped = valid.stream().filter(Ceiling::of).count();
        return capped == 0
                ? Optional.empty()
                : Optional.of(
                        "In " + capped + " of " + Findings.counted(valid.size(), "VALID run") + " of " + subject
                                + " the search kept the greatest rate that it tried: at its own capacity it costs that or less.");
    }

    /** By subject, and each price with date and source; none when no instance was named. */
    List<Grid> tables() {
        return isNamed()
                ? List.of(
                        subjects(),
                        Grid.pairs("Prices", "Instance type", "Price, date and source", Cost.prices(settings)))
                : List.of();
    }

    private boolean isNamed() {
        return settings.containsKey(Cost.INSTANCES);
    }

    private Grid subjects() {
        return new Grid(
                "Cost of the instances, medians of VALID runs",
                List.of(
                        Column.text("Subject"),
                        Column.number("VALID runs", ""),
                        Column.text("Instances"),
                        Column.number("Price", "USD per hour"),
                        Column.number(Figure.ACCEPTED_RATE.title(), Figure.ACCEPTED_RATE.unit()),
                        Column.number(Figure.COST.title(), Figure.COST.unit())),
                findings.result().subjects().stream()
                        .filter(subject -> !subject.floor())
                        .map(this::row)
                        .toList());
    }

    private Row row(Subject subject) {
        boolean isPriced = settings.containsKey(Cost.USD_PER_HOUR);
        return Row.of(List.of(
                subject.name(),
                Integer.toString(findings.valid(subject.name()).size()),
                settings.getOrDefault(Cost.INSTANCES, Numbers.NONE),
                settings.getOrDefault(Cost.USD_PER_HOUR, Cost.NO_PRICE),
                Numbers.text(median(subject, Figure.ACCEPTED_RATE)),
                isPriced ? Numbers.text(median(subject, Figure.COST)) : Cost.NO_PRICE));
    }

    /** NaN without a VALID run that has it. */
    private double median(Subject subject, Figure figure) {
        return Median.withDefaults()
                .evaluate(findings.valid(subject.name()).stream()
                        .map(Run::figures)
                        .map(figures -> figures.get(figure))
                        .filter(Objects::nonNull)
                        .mapToDouble(Double::doubleValue)
                        .toArray());
    }
}
