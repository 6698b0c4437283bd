package dev.millrace.deploy.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.deploy.infrastructure.HourlyCost;
import dev.millrace.deploy.sizing.Derivation;
import dev.millrace.deploy.sizing.SizingFile;
import java.util.Locale;

/** A derivation for people and for programs: each line with its formula, what it does not know, and what the machines cost. */
public final class DerivationText {
    private DerivationText() {}

    /** Lines, and what the machines cost. */
    public static String of(Derivation derivation, HourlyCost cost, String region) {
        return of(derivation) + CostText.of(cost, region);
    }

    /** Lines. */
    public static String of(Derivation derivation) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "Size %s for %,d readings/s on %s (%s), by %s of %s (%s, medians of %d runs):%n",
                derivation.request().shape().name(),
                derivation.request().rate(),
                derivation.rates().broker(),
                derivation.rates().version(),
                SizingFile.PLACE,
                derivation.rates().measured().date(),
                derivation.rates().measured().result(),
                derivation.rates().measured().runs()));
        derivation.steps().forEach(step -> text.append("  ").append(step).append('\n'));
        derivation.caveats().forEach(sentence -> text.append(sentence).append('\n'));
        return text.toString();
    }

    /** One document. */
    public static ObjectNode json(Derivation derivation, HourlyCost cost) {
        ObjectNode root = steps(derivation);
        CostText.into(root, cost);
        return root;
    }

    /** The same without the cost. */
    static ObjectNode steps(Derivation derivation) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("size", derivation.request().shape().name())
                .put("broker", derivation.rates().broker())
                .put("rate", derivation.request().rate())
                .put("brokerNodes", derivation.request().brokerNodes())
                .put("utilisation", derivation.request().utilisation())
                .put("parallelism", derivation.parallelism())
                .put("taskManagers", derivation.taskManagers())
                .put("partitions", derivation.partitions())
                .put("generators", derivation.generators())
                .put("devices", derivation.devices())
                .put("retentionBytesPerPartition", derivation.retentionBytesPerPartition())
                .put("brokerCpuShare", derivation.brokerShare())
                .put("jobCpuShare", derivation.jobShare())
                .put("generatorCpuShare", derivation.generatorShare())
                .put("brokerNodeNetworkBytesPerSecondMax", derivation.networkBytesPerSecond())
                .put("brokerNodeDiskBytesPerHour", derivation.diskBytesPerHour());
        ArrayNode steps = root.putArray("steps");
        derivation.steps().forEach(step -> steps.addObject()
                .put("name", step.name())
                .put("value", step.value())
                .put("formula", step.formula()));
        root.set("rates", new ObjectMapper().valueToTree(derivation.rates()));
        ArrayNode caveats = root.putArray("caveats");
        derivation.caveats().forEach(caveats::add);
        return root;
    }
}
