package dev.millrace.deploy.sizing;

import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a person wants to have derived.
 *
 * @param rate readings per second
 * @param utilisation share of the cores that the rate may use, above 0 and at most 1
 */
public record SizeRequest(Shape shape, long rate, int brokerNodes, double utilisation) {
    /** The size that there is. */
    public static final String SIZE = "c5-i7i";

    /** The shape has one default. */
    public static final String BROKER_NODES = "3";

    /**
     * When one of three broker nodes is away, the other two are used to 0.9; and a job that was away drains a backlog while it
     * keeps up with the load: at 0.6 what came in an hour takes an hour and a half.
     */
    public static final String UTILISATION = "0.6";

    /** A thousand times the published platform; beyond it is a slip of the finger. */
    private static final long MOST_RATE = 1_000_000_000;

    /**
     * What is wanted, when it is right.
     *
     * @throws UserException with a line for each thing that is wrong
     */
    public static SizeRequest checked(String size, String rate, String brokerNodes, String utilisation) {
        List<String> problems = new ArrayList<>();
        Optional<Shape> shape = Shape.named(size);
        if (shape.isEmpty()) {
            problems.add("--size: there is no size '" + size + "' that a rate can be derived for"
                    + Suggestion.didYouMean(size, Shape.names())
                    + "; there are: " + String.join(", ", Shape.names()));
        }
        long readings = rate.matches("\\d{1,10}") ? Long.parseLong(rate) : 0;
        if (readings < 1 || readings > MOST_RATE) {
            problems.add(String.format(
                    java.util.Locale.ROOT,
                    "--rate: '%s' must be a whole number of readings per second from 1 to %d, such as 1000000",
                    rate,
                    MOST_RATE));
        }
        int nodes = brokerNodes.matches("\\d{1,3}") ? Integer.parseInt(brokerNodes) : 0;
        List<Integer> allowed = shape.orElse(Shape.C5_I7I).brokerNodes();
        if (!allowed.contains(nodes)) {
            problems.add("--broker-nodes: '" + brokerNodes + "' must be "
                    + allowed.stream().map(String::valueOf).collect(Collectors.joining(", or "))
                    + ", which is the published platform; each divides among three replicas");
        }
        double share = utilisation.matches("(0?\\.\\d{1,3}|1(\\.0{1,3})?)") ? Double.parseDouble(utilisation) : 0;
        if (share <= 0) {
            problems.add("--utilisation: '" + utilisation
                    + "' must be a share of the cores, above 0 and at most 1, such as " + UTILISATION);
        }
        if (!problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
        return new SizeRequest(shape.orElseThrow(), readings, nodes, share);
    }
}
