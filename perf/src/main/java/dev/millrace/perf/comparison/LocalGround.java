package dev.millrace.perf.comparison;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackMemory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.TopicRoom;
import dev.millrace.perf.probe.MemoryBudget;
import dev.millrace.perf.round.LeftStacks;
import dev.millrace.perf.round.RoundOptions;
import dev.millrace.perf.run.GeneratorAlone;
import dev.millrace.perf.run.StackRun;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.scenario.Scenario;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * This machine.
 *
 * @param options of {@code millrace up} beyond the scenario's, by name
 * @param base where stacks keep their data while they are measured
 */
public record LocalGround(Installation installation, Scenario scenario, Map<String, String> options, Path base)
        implements Ground {
    private static final String ONE_MACHINE =
            "One machine, replication 1: compares these settings here, not the brokers in production.";

    private static final String OWN_BROKER =
            "The broker is one of your own: no budget bounds it, and its processes and machines are not looked at; steal, idle time"
                    + " and swap are this machine's. What it says of replicas and of waiting for disks is with each run.";

    private static final String UNBOUNDED = "the broker is one of your own, which no budget bounds";

    private static final String EQUAL_MEMORY =
            "name the broker's memory for all, --up broker-memory=SIZE (in the scenario topology.brokerMemory)";

    @Override
    public void check(List<String> brokers, String floor) {
        RoundOptions.requireNoStack(installation, base);
        StackRun runs = runs(base, new Interruption(), line -> {});
        brokers.forEach(broker -> check(broker, runs.settings(broker, false)));
        if (!floor.isEmpty()) {
            check(floor, runs.settings(floor, true));
        }
        boolean grouped = scenario.memoryBytes() > 0 && MemoryBudget.isPossible(scenario.memoryBytes());
        Budget.requireEqual(
                brokers.stream()
                        .map(broker -> Budget.of(
                                broker,
                                grouped
                                        ? OptionalLong.of(scenario.memoryBytes())
                                        : StackMemory.bytes(installation.load(broker), runs.settings(broker, false)),
                                RunDirectory.of(base, broker).path()))
                        .toList(),
                EQUAL_MEMORY);
    }

    /** What broker and store would say of their options when they start, which costs nothing to ask now. */
    private void check(String broker, StackSettings unnamed) {
        Broker plugin = installation.load(broker);
        // As a stack's own names will be that up makes.
        StackSettings settings = unnamed.withNames("0");
        if (!settings.isForeignBroker()) {
            plugin.localMemoryBytes(StackMemory.ofServer(settings));
            TopicRoom.lacking(plugin, settings, scenario.topicsBeside()).ifPresent(room -> {
                throw new UserException(room.sentence());
            });
        }
        ResultStores.named(settings.store())
                .check(settings.isForeignStore() ? settings.foreignStoreOptions() : settings.storeOptions());
    }

    /** The floor is started here; at the address of a person's own broker there is none. */
    @Override
    public boolean has(String broker) {
        return !isForeignBroker() || !broker.equals(scenario.floor());
    }

    private boolean isForeignBroker() {
        return StackRun.isForeignBroker(options);
    }

    @Override
    public Map<String, String> up() {
        Map<String, String> up = new TreeMap<>(scenario.up());
        up.putAll(options);
        return up;
    }

    @Override
    public Map<String, String> environment() {
        return Environment.of(installation);
    }

    @Override
    public Rig rig(Interruption interruption, Consumer<String> progress) {
        LeftStacks.remove(base, progress);
        return Rig.measure(base, generatorAlone(interruption), progress);
    }

    /** Also where the floor is among the brokers: it is then what the generator is measured with all the same. */
    private Optional<GeneratorAlone> generatorAlone(Interruption interruption) {
        String floor = scenario.floor();
        return installation.builtBrokers().contains(floor)
                ? Optional.of(new GeneratorAlone(
                        installation,
                        floor,
                        runs(base, interruption, line -> {}).settings(floor, true),
                        base.resolve("generator-alone"),
                        interruption))
                : Optional.empty();
    }

    @Override
    public StackRun runs(Path results, Interruption interruption, Consumer<String> progress) {
        return new StackRun(installation, base, scenario, options, results, interruption, progress);
    }

    @Override
    public List<String> caveats() {
        return List.of(isForeignBroker() ? OWN_BROKER : ONE_MACHINE);
    }

    @Override
    public String withheld() {
        return isForeignBroker() ? UNBOUNDED : "";
    }

    @Override
    public String memory() {
        return scenario.memoryBytes() == 0
                ? "not bounded"
                : (scenario.memoryBytes() >> 20) + "MiB" + (isForeignBroker() ? ", without the broker" : "");
    }
}
