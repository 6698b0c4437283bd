package dev.millrace.deploy.command;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.infrastructure.HourlyCost;
import dev.millrace.deploy.infrastructure.WantedInfrastructure;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.price.Prices;
import dev.millrace.deploy.sizing.Derivation;
import dev.millrace.deploy.sizing.MeasuredRates;
import dev.millrace.deploy.sizing.Overlay;
import dev.millrace.deploy.sizing.SizeRequest;
import dev.millrace.deploy.sizing.SizingFile;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Picocli mixin: how large a deployment is to be, checked against what this clone has. */
public final class SizeOptions {
    private static final String REGION = "us-east-1";

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            defaultValue = SizeRequest.SIZE,
            description = "shape of the deployment (default: ${DEFAULT-VALUE})")
    String size;

    @Option(names = "--rate", paramLabel = "N", required = true, description = "readings per second, such as 1000000")
    String rate;

    @Option(
            names = "--broker-nodes",
            paramLabel = "N",
            defaultValue = SizeRequest.BROKER_NODES,
            description = "default: ${DEFAULT-VALUE}; 6 is the size of the published platform")
    String brokerNodes;

    @Option(
            names = "--utilisation",
            paramLabel = "SHARE",
            defaultValue = SizeRequest.UTILISATION,
            description =
                    "of the cores, that the rate may use; the rest drains a backlog, or does the work of a node that is"
                            + " away (default: ${DEFAULT-VALUE})")
    String utilisation;

    @Option(names = "--region", paramLabel = "REGION", defaultValue = REGION, description = "default: ${DEFAULT-VALUE}")
    String region;

    /** As of a command line that names these; the rest is by default. */
    public static SizeOptions of(String rate, Optional<String> brokerNodes) {
        SizeOptions options = new SizeOptions();
        options.size = SizeRequest.SIZE;
        options.rate = rate;
        options.brokerNodes = brokerNodes.orElse(SizeRequest.BROKER_NODES);
        options.utilisation = SizeRequest.UTILISATION;
        options.region = REGION;
        return options;
    }

    /**
     * The derivation that they ask for.
     *
     * @throws UserException with a line for each option that is wrong, and for each part that cannot carry the rate
     */
    public Derivation derivation(Installation installation, String broker) {
        List<String> problems = new ArrayList<>();
        SizeRequest request = null;
        try {
            request = SizeRequest.checked(size, rate, brokerNodes, utilisation);
        } catch (UserException e) {
            problems.add(e.getMessage());
        }
        WantedInfrastructure.checkRegion(region, problems);
        checkBroker(installation, broker, problems);
        if (request == null || !problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
        return Derivation.of(request, rates(installation, broker));
    }

    /** What its machines cost in an hour, by the clone's prices. */
    public HourlyCost cost(Installation installation, Derivation derivation) {
        return HourlyCost.of(
                derivation.groups(), region, Prices.in(installation.root().resolve(Prices.FOLDER)));
    }

    /** Of whose prices the cost is. */
    public String region() {
        return region;
    }

    private void checkBroker(Installation installation, String broker, List<String> problems) {
        List<String> sized = installation.brokers().stream()
                .filter(one -> Files.isDirectory(Overlay.folder(installation.root(), one, SizeRequest.SIZE)))
                .toList();
        if (!sized.contains(broker)) {
            problems.add("--broker: '" + broker + "' is no broker with a deployment of size " + SizeRequest.SIZE
                    + Suggestion.didYouMean(broker, sized)
                    + "; there are: " + String.join(", ", sized));
        }
    }

    private static MeasuredRates rates(Installation installation, String broker) {
        SizingFile file = SizingFile.read(installation.root().resolve(SizingFile.PLACE));
        return file.of(broker)
                .orElseThrow(() -> new UserException("no rates were measured for broker '" + broker + "'; "
                        + SizingFile.PLACE + " has those of: "
                        + file.brokers().stream().map(MeasuredRates::broker).collect(Collectors.joining(", "))
                        + ". Measure: " + SizingFile.HOW));
    }
}
