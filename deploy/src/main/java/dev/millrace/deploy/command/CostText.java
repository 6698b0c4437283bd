package dev.millrace.deploy.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.deploy.infrastructure.HourlyCost;
import dev.millrace.deploy.look.Table;
import dev.millrace.deploy.price.Price;
import dev.millrace.deploy.price.Prices;
import java.math.BigDecimal;

/** What machines cost in an hour, for people and for programs. What has no price says so, and then there is no sum. */
public final class CostText {
    private static final String NO_PRICE = "no price";

    private CostText() {}

    /** A table, the sum, and where the prices are from; lines. */
    public static String of(HourlyCost cost, String region) {
        Table table = new Table("group", "nodes", "type", "USD per hour each", "together");
        for (HourlyCost.Line line : cost.lines()) {
            table.row(
                    line.group().name(),
                    line.group().nodes(),
                    line.group().type(),
                    line.price()
                            .map(price -> price.usdPerHour().toPlainString())
                            .orElse(NO_PRICE),
                    line.usdPerHour().map(BigDecimal::toPlainString).orElse(NO_PRICE));
        }
        StringBuilder text = new StringBuilder(table.toString())
                .append("All machines together: ")
                .append(cost.sum()
                        .map(sum -> sum.toPlainString() + " USD per hour.")
                        .orElse(NO_PRICE + ", as one has none for " + region + " in " + Prices.FOLDER + "."))
                .append('\n');
        cost.sources().forEach(source -> text.append("Prices: ").append(source).append('\n'));
        return text.toString();
    }

    /** The same in a document. */
    public static void into(ObjectNode root, HourlyCost cost) {
        ArrayNode groups = root.putArray("groups");
        for (HourlyCost.Line line : cost.lines()) {
            groups.addObject()
                    .put("name", line.group().name())
                    .put("nodes", line.group().nodes())
                    .put("type", line.group().type())
                    .put("usdPerHourEach", line.price().map(Price::usdPerHour).orElse(null))
                    .put("usdPerHour", line.usdPerHour().orElse(null));
        }
        root.put("usdPerHour", cost.sum().orElse(null));
        ArrayNode sources = root.putArray("priceSources");
        cost.sources().forEach(sources::add);
    }
}
