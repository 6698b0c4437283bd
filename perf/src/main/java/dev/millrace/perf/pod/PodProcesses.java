package dev.millrace.perf.pod;

import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.ClockDistance;
import dev.millrace.perf.probe.ProcessUse;
import dev.millrace.perf.run.stage.Processes;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Those of a stack whose parts have a pod each: every one tells of itself, by {@link dev.millrace.perf.agent.UsageAgent}. */
final class PodProcesses implements Processes {
    private final Map<String, String> hosts;
    private final int port;
    private final String node;
    private final Map<String, Long> starts = new HashMap<>();
    private long restarts;

    /**
     * @param hosts of the parts, by their names
     * @param port that all agents listen at
     * @param node that this process is on
     */
    PodProcesses(Map<String, String> hosts, int port, String node) {
        this.hosts = Map.copyOf(hosts);
        this.port = port;
        this.node = node;
    }

    @Override
    public Map<String, ProcessUse> uses(StackState state) {
        Map<String, ProcessUse> uses = new LinkedHashMap<>();
        pages().forEach((part, page) -> page.use().ifPresent(use -> uses.put(part, use)));
        ProcessUse.of(ProcessHandle.current().pid()).ifPresent(own -> uses.put(RIG, own));
        return uses;
    }

    /** Since this object looked first. */
    @Override
    public long restarts(StackState state) {
        Map<String, UsagePage> pages = pages();
        synchronized (this) {
            pages.forEach((part, page) -> {
                Long before = starts.put(part, page.startMillis());
                restarts += before == null || before == page.startMillis() ? 0 : 1;
            });
            return restarts;
        }
    }

    /** The sum of what each container had at most: that they had it at the same time is not said. */
    @Override
    public OptionalLong memoryPeakBytes(StackState state) {
        Map<String, UsagePage> pages = pages();
        boolean all = pages.size() == hosts.size()
                && pages.values().stream()
                        .allMatch(page -> page.memoryPeakBytes().isPresent());
        return all
                ? OptionalLong.of(pages.values().stream()
                        .mapToLong(page -> page.memoryPeakBytes().getAsLong())
                        .sum())
                : OptionalLong.empty();
    }

    /** A pod has a network of its own. */
    @Override
    public boolean seeMachine() {
        return false;
    }

    /** Of each pair of nodes that have a part, this process's among them; where all are on one, of two clocks of that one. */
    @Override
    public List<ClockDistance> clocks() {
        Map<String, ClockDistance> byNode = new TreeMap<>();
        pages().forEach((part, page) -> {
            try {
                byNode.merge(
                        page.node(),
                        ClockDistance.of(node, page.node(), UsagePage.clock(hosts.get(part), port)),
                        (one, other) -> one.uncertaintyMillis() <= other.uncertaintyMillis() ? one : other);
            } catch (UncheckedIOException e) {
                // Another part on that node answers; where none does, its clock is in no figure.
            }
        });
        List<ClockDistance> fromHere = List.copyOf(byNode.values());
        List<ClockDistance> others =
                fromHere.stream().filter(one -> !one.to().equals(node)).toList();
        List<ClockDistance> pairs = new ArrayList<>(others.isEmpty() ? fromHere : others);
        for (int i = 0; i < others.size(); i++) {
            for (int j = i + 1; j < others.size(); j++) {
                pairs.add(others.get(i).to(others.get(j)));
            }
        }
        return pairs;
    }

    private Map<String, UsagePage> pages() {
        Map<String, UsagePage> pages = new LinkedHashMap<>();
        hosts.forEach((part, host) -> {
            try {
                pages.put(part, UsagePage.ask(host, port));
            } catch (UncheckedIOException e) {
                // It is being started again, or gone: then it has no figures, as with a process of this machine.
            }
        });
        return pages;
    }
}
