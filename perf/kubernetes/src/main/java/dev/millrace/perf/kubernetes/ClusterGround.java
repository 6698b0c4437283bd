package dev.millrace.perf.kubernetes;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.kubernetes.ClusterSettings;
import dev.millrace.deploy.kubernetes.cluster.Cluster;
import dev.millrace.deploy.kubernetes.cluster.ClusterStack;
import dev.millrace.deploy.kubernetes.cluster.Owned;
import dev.millrace.deploy.kubernetes.stack.ClusterLauncher;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.perf.comparison.Budget;
import dev.millrace.perf.comparison.Environment;
import dev.millrace.perf.comparison.Ground;
import dev.millrace.perf.comparison.Rig;
import dev.millrace.perf.run.Runs;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.Turn;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.sizing.ResultRates;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSystemInfo;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A cluster: the stacks of all brokers stand in one namespace in turn, on the nodes that the first one got. */
final class ClusterGround implements Ground {
    private static final double MEBIBYTE = 1 << 20;
    /** From here on a Job may have a sidecar without a word to the cluster's owner (Kubernetes enhancement 753). */
    private static final int LEAST_MINOR = 29;

    private static final String BROKER_MEMORY = "broker-memory";
    private static final String EQUAL_MEMORY =
            "give the brokers' pods the same limits (brokers/BROKER/deploy/kubernetes/tiny)";
    private static final String NO_BASELINE =
            "What disk, network and generator do by themselves is measured on one machine"
                    + " only: it is not known whether the generator could have been the bottleneck.";

    private final Installation installation;
    private final Scenario scenario;
    private final Path scenarioFile;
    private final Map<String, String> options;
    private final Path base;
    private final Cluster cluster;
    private final String namespace;
    private final ClusterLauncher.Manner manner;
    private final PrintWriter out;
    private final List<Node> nodes;
    private final Placement placement = new Placement();
    private List<String> brokers = List.of();
    private OptionalLong memoryBytes = OptionalLong.empty();
    private final Set<ClusterStack> owed = new LinkedHashSet<>();

    ClusterGround(
            Installation installation,
            Scenario scenario,
            Path scenarioFile,
            Map<String, String> options,
            Path base,
            Cluster cluster,
            String namespace,
            ClusterLauncher.Manner manner,
            PrintWriter out) {
        this.installation = installation;
        this.scenario = scenario;
        this.scenarioFile = scenarioFile;
        this.options = options;
        this.base = base;
        this.cluster = cluster;
        this.namespace = namespace;
        this.manner = manner;
        this.out = out;
        this.nodes = cluster.client().nodes().list().getItems().stream()
                .sorted(Comparator.comparing(node -> node.getMetadata().getName()))
                .toList();
    }

    @Override
    public boolean has(String broker) {
        return ClusterLauncher.has(installation, broker);
    }

    /** Without the bound of a process on one machine: pods have limits. */
    @Override
    public Map<String, String> up() {
        Map<String, String> up = new TreeMap<>(scenario.up());
        up.remove(BROKER_MEMORY);
        up.putAll(options);
        return up;
    }

    StackSettings settings(String broker) {
        ClusterSettings.refuse(Options.of(up()));
        Map<String, String> all = up();
        all.put("broker", broker);
        all.put("latency-log", "true");
        StackSettings settings = StackSettings.bind("scenario " + scenario.name(), Options.of(all));
        scenario.refuse(settings);
        if (settings.isForeignStore()) {
            throw new UserException(
                    "'store-url' names a store of your own, and on a cluster each run has a new and empty one"
                            + " of its own, in the namespace that is removed behind it: leave 'store-url' away");
        }
        return settings;
    }

    @Override
    public void check(List<String> brokers, String floor) {
        this.brokers = List.copyOf(brokers);
        refuseScenario();
        refuseOldCluster();
        requireOwn();
        List<Budget> budgets = new ArrayList<>();
        for (String broker : brokers) {
            installation.builtPlugin(broker);
            installation
                    .services(broker, Broker.class)
                    .forEach(plugin -> ClusterSettings.refuseOfServer(
                            plugin, settings(broker).brokerOptions()));
            List<GenericKubernetesResource> objects =
                    launcher(broker, new PrintWriter(Writer.nullWriter())).objects(settings(broker), manner);
            long bytes = Limits.memoryBytes(objects);
            memoryBytes = OptionalLong.of(bytes);
            budgets.add(new Budget(broker, memoryBytes, cores(), "of the cluster's default class"));
        }
        Budget.requireEqual(budgets, EQUAL_MEMORY);
    }

    /** The stack is this benchmark's from now on, and to be removed. */
    void owes(ClusterStack stack) {
        owed.add(stack);
    }

    /** The stack is removed. */
    void isQuit(ClusterStack stack) {
        owed.remove(stack);
    }

    /** Stacks of runs before that could not be removed. */
    List<ClusterStack> owed() {
        return List.copyOf(owed);
    }

    /** Throws UserException when another benchmark is at work in the namespace, or a person has a stack there. */
    void requireOwn() {
        refuseOthers();
        refusePersons();
    }

    private void refuseScenario() {
        if (scenario.name().equals(ResultRates.SCENARIO)) {
            throw new UserException(
                    "scenario " + scenario.name()
                            + " is what millrace rates makes rates per core of, which are of one machine's CPU, cores and memory; run"
                            + " it without --target kubernetes, on such a machine; on a cluster there is quick, steady or capacity");
        }
        List<String> sections = new ArrayList<>();
        scenario.backlog().ifPresent(section -> sections.add("backlog"));
        scenario.trend().ifPresent(section -> sections.add("trend"));
        scenario.fanOut().ifPresent(section -> sections.add("fanOut"));
        scenario.burst().ifPresent(section -> sections.add("burst"));
        if (!sections.isEmpty()) {
            throw new UserException("scenario " + scenario.name() + " has " + String.join(", ", sections)
                    + ", for which processes and files of one machine are handled; on a cluster there is quick, steady or"
                    + " capacity, or run it without --target kubernetes");
        }
    }

    private void refuseOldCluster() {
        var version = cluster.client().getKubernetesVersion();
        int minor = Integer.parseInt(version.getMinor().replaceAll("\\D", ""));
        if (version.getMajor().equals("1") && minor < LEAST_MINOR) {
            throw new EnvironmentException("the cluster of context " + cluster.context() + " is Kubernetes "
                    + version.getGitVersion() + "; a benchmark needs 1." + LEAST_MINOR + " or newer, for sidecars");
        }
    }

    /** Another stack would be measured too; one of a benchmark that was killed is removed, one that is being measured is not. */
    private void refuseOthers() {
        List<ClusterStack> stacks = cluster.stacks();
        List<ClusterStack> others = stacks.stream()
                .filter(stack -> !stack.namespace().equals(namespace))
                .toList();
        if (!others.isEmpty()) {
            throw new UserException("on " + cluster.context()
                    + " there is a stack already, which would be measured too: "
                    + String.join(
                            ", ",
                            others.stream()
                                    .map(stack -> stack.broker() + " in " + stack.namespace())
                                    .toList())
                    + "; take it down first: millrace down " + others.get(0).arguments());
        }
        stacks.stream()
                .filter(stack -> new LoadPod(stack).isMeasuring())
                .findFirst()
                .ifPresent(stack -> {
                    throw new UserException("a benchmark runs in namespace " + namespace + " on " + cluster.context()
                            + " (" + stack.broker() + "); wait for its end, or end it: millrace down "
                            + stack.arguments() + " --data");
                });
    }

    /** The namespace is emptied before and after each run, volumes included: nothing that a person may want to keep is to be in it. */
    private void refusePersons() {
        List<ClusterStack> left = left();
        left.stream().filter(this::isPersons).findFirst().ifPresent(stack -> {
            throw new UserException("in namespace " + namespace + " on " + cluster.context() + " there is a stack ("
                    + stack.broker()
                    + ") that no benchmark made, and a benchmark would remove it with its volumes; take it down first:"
                    + " millrace down " + stack.arguments()
                    + " --data; or, to keep its volumes, without --data, and name another --namespace here");
        });
        cluster
                .client()
                .persistentVolumeClaims()
                .inNamespace(namespace)
                .withLabels(Map.of(Owned.MANAGER, Owned.MILLRACE))
                .list()
                .getItems()
                .stream()
                .filter(claim -> claim.getMetadata().getDeletionTimestamp() == null)
                .map(claim -> claim.getMetadata().getLabels().get(Owned.STACK))
                .filter(Objects::nonNull)
                .map(this::stack)
                .filter(stack -> !left.contains(stack) && !isMarked(stack))
                .findFirst()
                .ifPresent(stack -> {
                    throw new UserException("in namespace " + namespace + " on " + cluster.context()
                            + " there are volumes of a stack (" + stack.broker()
                            + ") that is down, and a benchmark would use and remove them; name another --namespace, or"
                            + " delete them: millrace down " + stack.arguments() + " --data");
                });
    }

    /** Of a stack that is measured the generator is a Job, and a mark is there before any workload is; one that is going is nobody's. */
    private boolean isPersons(ClusterStack stack) {
        List<String> sets = cluster
                .client()
                .apps()
                .statefulSets()
                .inNamespace(namespace)
                .withLabels(Owned.labels(stack.broker()))
                .list()
                .getItems()
                .stream()
                .filter(set -> set.getMetadata().getDeletionTimestamp() == null)
                .map(set -> set.getMetadata().getName())
                .toList();
        return sets.contains(ClusterStack.GENERATOR) || !sets.isEmpty() && !isMarked(stack);
    }

    private boolean isMarked(ClusterStack stack) {
        ConfigMap map = cluster.client()
                .configMaps()
                .inNamespace(namespace)
                .withName(LoadObjects.BENCHMARK)
                .get();
        return map != null && Owned.is(map, stack.broker());
    }

    ClusterLauncher launcher(String broker, PrintWriter out) {
        return new ClusterLauncher(installation, stack(broker), base, out);
    }

    ClusterStack stack(String broker) {
        return new ClusterStack(cluster, namespace, broker);
    }

    List<ClusterStack> left() {
        return cluster.stacks().stream()
                .filter(stack -> stack.namespace().equals(namespace))
                .toList();
    }

    LoadObjects load(ClusterStack stack, Turn turn) {
        return new LoadObjects(
                stack,
                scenario,
                scenarioFile,
                turn,
                placement,
                settings(turn.broker()).devices());
    }

    ClusterLauncher.Manner manner() {
        return manner;
    }

    Placement placement() {
        return placement;
    }

    @Override
    public Map<String, String> environment() {
        Map<String, String> facts = new TreeMap<>(Environment.build(installation));
        facts.put("kubernetes", cluster.version());
        for (Node node : nodes) {
            NodeSystemInfo info = node.getStatus().getNodeInfo();
            facts.put(
                    "node " + node.getMetadata().getName(),
                    allocatable(node, "cpu") + " cores, " + allocatable(node, "memory") + ", " + info.getOsImage()
                            + ", Linux " + info.getKernelVersion() + ", " + info.getArchitecture() + ", "
                            + info.getContainerRuntimeVersion());
        }
        return facts;
    }

    private static String allocatable(Node node, String resource) {
        Quantity quantity = node.getStatus().getAllocatable().get(resource);
        return quantity == null ? "?" : quantity.toString();
    }

    private int cores() {
        return nodes.stream()
                .map(node -> node.getStatus().getAllocatable().get("cpu"))
                .mapToInt(quantity -> quantity == null
                        ? 0
                        : Quantity.getAmountInBytes(quantity).intValue())
                .sum();
    }

    @Override
    public Rig rig(Interruption interruption, Consumer<String> progress) {
        // Before the first run: what it says is for the person, and none of it is in a run's time.
        progress.accept("images of " + String.join(", ", brokers));
        ClusterLauncher.deliverImages(
                cluster, brokers.stream().map(broker -> launcher(broker, out)).toList(), manner, out);
        return new Rig(Map.of(), List.of(NO_BASELINE));
    }

    @Override
    public Runs runs(Path results, Interruption interruption, Consumer<String> progress) {
        return new ClusterRuns(this, results, interruption, progress);
    }

    @Override
    public List<String> caveats() {
        boolean isUnplaced = placement.nodes().isEmpty();
        return isUnplaced && nodes.size() > 1 || decides()
                ? List.of(
                        "One cluster of " + nodes.size()
                                + " nodes, replication 1: compares these settings here, not the brokers in production.",
                        isUnplaced ? "No part of it ran." : "Where the parts ran: " + placed() + ".",
                        "Time that the hypervisor took, idle time and swapping are the load's node's; those of the others"
                                + " are not looked at.")
                : List.of(
                        "One node, replication 1: broker, job, store and load share its cores, its disk and its page cache. It"
                                + " compares these settings here, not the brokers in production; figures with intervals, no verdict.");
    }

    @Override
    public String withheld() {
        return decides() ? "" : "its parts ran on fewer than two nodes";
    }

    /** Nodes that ran nothing make one machine no fairer ground. */
    private boolean decides() {
        return Set.copyOf(placement.nodes().values()).size() > 1;
    }

    private String placed() {
        return placement.nodes().entrySet().stream()
                .map(entry -> entry.getKey() + " on " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    @Override
    public String memory() {
        return memoryBytes.isPresent()
                ? Math.round(memoryBytes.getAsLong() / MEBIBYTE) + "MiB, the limits of its pods"
                : "the limits of its pods";
    }
}
