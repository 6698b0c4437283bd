package dev.millrace.deploy.infrastructure;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What Terraform would do, from {@code terraform show -json} of a plan (format version 1.x, "JSON Output Format" of Terraform's
 * documentation).
 *
 * @param groups that will be there, by name
 * @param billed other things that will be there and are billed: how many of each type of resource
 * @param fewer groups from which machines go, as {@code broker 6 -> 3}, or {@code broker 3 -> others} when others come for them;
 *     that EKS puts others in their place one by one counts where machines have disks of their own
 * @param toMake how many resources are made, counting those that are made anew
 * @param toChange how many are changed in place
 * @param toDelete how many are deleted, counting those that are made anew
 */
public record Plan(
        List<NodeGroup> groups,
        Map<String, Integer> billed,
        List<String> fewer,
        int toMake,
        int toChange,
        int toDelete) {
    private static final String GROUP = "aws_eks_node_group";
    private static final String TEMPLATE = "aws_launch_template";

    /** What EKS answers with other machines when it changes in place. */
    private static final List<String> ROLLING = List.of("launch_template", "version", "release_version");

    /** Beside what a plan names: nodes.tf gives each node such a disk, and pods ask Kubernetes. */
    private static final List<String> BESIDE = List.of("100 GiB of gp3 for each node", "volumes that pods ask for");

    /** Resources that cost by the hour or by the byte, in words for people. */
    static final Map<String, String> BILLED = Map.of(
            "aws_eks_cluster", "control plane of EKS",
            "aws_nat_gateway", "NAT gateway (by the hour and by the byte)",
            "aws_eip", "public address",
            "aws_s3_bucket", "bucket (by the byte and by the request)");

    public Plan {
        groups = List.copyOf(groups);
        billed = Map.copyOf(billed);
        fewer = List.copyOf(fewer);
    }

    static Plan of(JsonNode shown) {
        List<NodeGroup> groups = new ArrayList<>();
        Map<String, Integer> billed = new TreeMap<>();
        for (JsonNode resource :
                shown.path("planned_values").path("root_module").path("resources")) {
            String type = resource.path("type").asText();
            if (type.equals(GROUP)) {
                groups.add(group(resource.path("values")));
            } else if (BILLED.containsKey(type)) {
                billed.merge(type, 1, Integer::sum);
            }
        }
        groups.sort(Comparator.comparing(NodeGroup::name));
        Set<String> ownDisks = ownDisks(shown);
        int make = 0;
        int change = 0;
        int delete = 0;
        List<String> fewer = new ArrayList<>();
        for (JsonNode resource : shown.path("resource_changes")) {
            if (resource.path("type").asText().equals(GROUP)) {
                fewer(resource.path("change"), ownDisks).ifPresent(fewer::add);
            }
            for (JsonNode action : resource.path("change").path("actions")) {
                make += action.asText().equals("create") ? 1 : 0;
                change += action.asText().equals("update") ? 1 : 0;
                delete += action.asText().equals("delete") ? 1 : 0;
            }
        }
        return new Plan(groups, billed, fewer, make, change, delete);
    }

    /** Names of the groups whose machines mount disks of their own: only for that have templates user data, see nodes.tf. */
    private static Set<String> ownDisks(JsonNode shown) {
        Set<String> groups = new TreeSet<>();
        for (JsonNode resource : shown.path("resource_changes")) {
            if (resource.path("type").asText().equals(TEMPLATE)
                    && !resource.path("change")
                            .path("before")
                            .path("user_data")
                            .asText("")
                            .isEmpty()) {
                groups.add(resource.path("index").asText());
            }
        }
        return groups;
    }

    /** Of a group from which machines go: how many stay of how many; a group that is replaced begins with none of its own. */
    private static Optional<String> fewer(JsonNode change, Set<String> ownDisks) {
        if (!change.path("before").isObject()) {
            return Optional.empty();
        }
        NodeGroup before = group(change.path("before"));
        boolean goes = ownDisks.contains(before.name()) && rolls(change);
        for (JsonNode action : change.path("actions")) {
            goes |= action.asText().equals("delete");
        }
        int stay = goes ? 0 : group(change.path("after")).nodes();
        return stay < before.nodes()
                ? Optional.of(before.name() + " " + before.nodes() + " -> "
                        + (goes && change.path("after").isObject() ? "others" : Integer.toString(stay)))
                : Optional.empty();
    }

    /** Whether something changes for which EKS replaces machines; what is known only afterwards is not in {@code after}. */
    private static boolean rolls(JsonNode change) {
        return ROLLING.stream().anyMatch(name -> !change.path("before")
                .path(name)
                .equals(change.path("after").path(name)));
    }

    private static NodeGroup group(JsonNode values) {
        return new NodeGroup(
                values.path("node_group_name").asText(),
                values.path("instance_types").path(0).asText(),
                values.path("scaling_config").path(0).path("desired_size").asInt());
    }

    /** Whether nothing is to be done. */
    public boolean isEmpty() {
        return toMake + toChange + toDelete == 0;
    }

    /** What is billed beside machines, such as "1 public address": sorted, then what no plan knows; empty when nothing is there. */
    public List<String> billedInWords() {
        Stream<String> planned = billed.entrySet().stream()
                .map(entry -> entry.getValue() + " " + BILLED.get(entry.getKey()))
                .sorted();
        return Stream.concat(planned, billed.isEmpty() ? Stream.empty() : BESIDE.stream())
                .toList();
    }
}
