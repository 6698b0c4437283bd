package dev.millrace.deploy.infrastructure;

import dev.millrace.core.settings.UserException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a person asks of the configuration; names are those of its variables.
 *
 * @param zones two, the first is that of the nodes
 * @param jobNamespaces whose jobs may use the bucket
 * @param nodes of other groups than that of the brokers, where it is not what the configuration has
 */
public record WantedInfrastructure(
        String name,
        String region,
        List<String> zones,
        List<String> allowCidr,
        int brokerNodes,
        List<String> jobNamespaces,
        Map<String, Integer> nodes) {
    /** What the provider takes for an account that is never asked; a plan needs some. */
    public static final Map<String, String> NO_ACCOUNT = Map.of(
            "AWS_ACCESS_KEY_ID", "none",
            "AWS_SECRET_ACCESS_KEY", "none",
            "AWS_EC2_METADATA_DISABLED", "true");

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,29}");
    private static final Pattern REGION = Pattern.compile("[a-z]{2}(-[a-z]+)+-\\d");
    private static final Pattern RANGE =
            Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})/(\\d{1,2})");
    /** As Kubernetes names them. */
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    private static final int MOST_BROKER_NODES = 100;

    public WantedInfrastructure {
        zones = List.copyOf(zones);
        allowCidr = List.copyOf(allowCidr);
        jobNamespaces = List.copyOf(jobNamespaces);
        nodes = Map.copyOf(nodes);
    }

    /** The same with as many nodes of some groups, such as {@code flink}. */
    public WantedInfrastructure with(Map<String, Integer> others) {
        return new WantedInfrastructure(name, region, zones, allowCidr, brokerNodes, jobNamespaces, others);
    }

    /**
     * What is wanted, when it is right.
     *
     * @param zones none: the zones a and b of the region
     * @param brokers that jobs may read from, each in a namespace of its own
     * @param jobNamespaces none: that which a stack of each of the brokers has when none is named
     * @throws UserException with a line for each thing that is wrong
     */
    public static WantedInfrastructure checked(
            String name,
            String region,
            List<String> zones,
            List<String> allowCidr,
            int brokerNodes,
            List<String> brokers,
            List<String> jobNamespaces) {
        List<String> problems = new ArrayList<>();
        if (!NAME.matcher(name).matches()) {
            problems.add("--name: '" + name
                    + "' must be 1 to 30 small letters, digits and hyphens and begin with a letter, such as millrace");
        }
        checkRegion(region, problems);
        List<String> both = zones.isEmpty() ? List.of(region + "a", region + "b") : zones;
        if (both.size() != 2 || both.get(0).equals(both.get(1))) {
            problems.add("--zones: it must be two different zones, that of the nodes first, such as " + region + "a,"
                    + region + "b");
        }
        both.stream()
                .filter(zone -> !zone.startsWith(region))
                .forEach(zone -> problems.add("--zones: '" + zone + "' is not in region " + region));
        allowCidr.forEach(range -> problem(range, problems));
        if (brokerNodes < 1 || brokerNodes > MOST_BROKER_NODES) {
            problems.add("--broker-nodes: " + brokerNodes + " must be from 1 to " + MOST_BROKER_NODES);
        }
        jobNamespaces.stream()
                .filter(namespace -> !NAMESPACE.matcher(namespace).matches())
                .forEach(namespace -> problems.add("--job-namespaces: '" + namespace
                        + "' is no namespace; it must be 1 to 63 small letters, digits and hyphens, such as sensors"));
        if (!problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
        List<String> namespaces = jobNamespaces.isEmpty()
                ? brokers.stream().map(broker -> "millrace-" + broker).toList()
                : jobNamespaces;
        return new WantedInfrastructure(name, region, both, allowCidr, brokerNodes, namespaces, Map.of());
    }

    /** Adds a sentence when it is not written as regions are; whether there is such a one only the provider knows. */
    public static void checkRegion(String region, List<String> problems) {
        if (!REGION.matcher(region).matches()) {
            problems.add("--region: '" + region + "' is no region; it must be such as us-east-1");
        }
    }

    private static void problem(String range, List<String> problems) {
        var parts = RANGE.matcher(range);
        boolean isRange = parts.matches() && Integer.parseInt(parts.group(5)) <= 32;
        for (int i = 1; isRange && i <= 4; i++) {
            isRange = Integer.parseInt(parts.group(i)) <= 255;
        }
        if (!isRange) {
            problems.add(
                    "--allow-cidr: '" + range + "' is no range of IPv4 addresses; it must be such as 203.0.113.7/32");
        } else if (parts.group(5).matches("0+")) {
            problems.add("--allow-cidr: '" + range + "' is everybody; say the addresses that you work from");
        }
    }

    /**
     * As the configuration takes them.
     *
     * @param offline for a plan that asks no account
     */
    public Map<String, Object> variables(boolean offline) {
        Map<String, Object> variables = new HashMap<>();
        variables.put("name", name);
        variables.put("region", region);
        variables.put("zones", zones);
        variables.put("allow_cidr", allowCidr);
        variables.put("broker_nodes", brokerNodes);
        nodes.forEach((group, number) -> variables.put(group + "_nodes", number));
        variables.put("job_namespaces", jobNamespaces);
        variables.put("offline", offline);
        variables.put("check_quotas", !offline);
        return variables;
    }
}
