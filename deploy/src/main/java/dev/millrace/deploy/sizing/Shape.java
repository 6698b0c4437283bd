package dev.millrace.deploy.sizing;

import dev.millrace.deploy.infrastructure.NodeGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a size is made of, whatever the rate: its machines, and what a pod of each part has of one. A test holds it against the
 * manifests of the size and against the machines that Terraform makes.
 *
 * @param name of the size
 * @param brokerNodes how many there may be, the default first
 * @param brokerCpuPerNode that a broker's servers have together on a node
 * @param taskManagerCpu one TaskManager is on a node
 * @param keyGroups of the job, its greatest parallelism
 * @param generatorCpu one generator is on a node
 * @param replicas of the topic
 * @param diskBytes of one disk of a broker node; where a journal is on the other, readings are on this one alone
 */
public record Shape(
        String name,
        List<Integer> brokerNodes,
        String brokerType,
        int brokerCpuPerNode,
        String flinkType,
        int taskManagerCpu,
        int slots,
        int keyGroups,
        String loadType,
        int generatorCpu,
        int replicas,
        long diskBytes,
        List<NodeGroup> fixed) {

    /** The production shape; {@code deploy/kubernetes/c5-i7i}. */
    public static final Shape C5_I7I = new Shape(
            "c5-i7i",
            List.of(3, 6),
            "i7i.8xlarge",
            28,
            "c5.4xlarge",
            15,
            16,
            128,
            "c5.4xlarge",
            14,
            3,
            3400L << 30,
            List.of(new NodeGroup("store", "r6id.4xlarge", 3), new NodeGroup("infra", "m5.2xlarge", 3)));

    private static final List<Shape> ALL = List.of(C5_I7I);

    public Shape {
        brokerNodes = List.copyOf(brokerNodes);
        fixed = List.copyOf(fixed);
    }

    /** By its name. */
    public static Optional<Shape> named(String name) {
        return ALL.stream().filter(shape -> shape.name.equals(name)).findFirst();
    }

    /** Of all sizes that a rate can be derived for. */
    public static List<String> names() {
        return ALL.stream().map(Shape::name).toList();
    }

    /** Parallelism that fills the slots of every TaskManager and gives each subtask as many key groups; rising. */
    public List<Integer> parallelisms() {
        return Stream.iterate(slots, parallelism -> parallelism <= keyGroups, parallelism -> parallelism + slots)
                .filter(parallelism -> keyGroups % parallelism == 0)
                .toList();
    }

    /** The machines, with so many of what depends on the rate. */
    public List<NodeGroup> groups(int brokers, int taskManagers, int generators) {
        List<NodeGroup> groups = new ArrayList<>(List.of(
                new NodeGroup("broker", brokerType, brokers),
                new NodeGroup("flink", flinkType, taskManagers),
                new NodeGroup("load", loadType, generators)));
        groups.addAll(fixed);
        return groups;
    }
}
