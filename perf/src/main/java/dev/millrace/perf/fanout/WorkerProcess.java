package dev.millrace.perf.fanout;

import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.process.ToldProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One {@link Worker} as seen from the rig. It is one process for all that it is told one after the other, so that a later order does
 * not measure compilers again. Used by one thread; methods throw EnvironmentException, with the end of its log, when it fails or
 * takes too long.
 */
public final class WorkerProcess implements AutoCloseable {
    /** Beyond what a worker itself bounds its waits by. */
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(120);

    private static final List<String> MEMORY =
            List.of("-Xms384m", "-Xmx384m", "-XX:MaxDirectMemorySize=256m", "-XX:+UseParallelGC");

    private final ToldProcess process;

    private WorkerProcess(ToldProcess process) {
        this.process = process;
    }

    /**
     * One reader group.
     *
     * @param from where it begins; partitions that are not named begin at their oldest record
     * @param ratePerSecond at most so many readings; 0: as they come
     */
    public record Group(String topic, String name, Map<Integer, Position> from, long ratePerSecond) {}

    /** @param folder its own, for its log and what is said */
    public static WorkerProcess start(Installation installation, Path folder) {
        try {
            Path log = Files.createDirectories(folder).resolve("worker.log");
            return new WorkerProcess(ToldProcess.start("the fan-out's process", command(installation), log));
        } catch (IOException e) {
            throw new EnvironmentException("cannot start a fan-out's process in " + folder + ": " + e.getMessage(), e);
        }
    }

    private static List<String> command(Installation installation) {
        List<String> command = new ArrayList<>(List.of(Installation.java()));
        command.addAll(MEMORY);
        command.addAll(Installation.addOpens());
        command.addAll(List.of(
                "-XX:+ExitOnOutOfMemoryError",
                "-Dmillrace.root=" + installation.root(),
                "-cp",
                ToldProcess.classPath(installation),
                Worker.class.getName()));
        return command;
    }

    public long pid() {
        return process.pid();
    }

    /**
     * Lets reader groups read until {@link #end}; returns when each has heard from the broker.
     *
     * @param waits whether each waits for the broker when it commits its positions
     */
    public void groups(String broker, Options options, List<Group> groups, boolean waits) {
        Map<String, String> order = connected(broker, options);
        order.put("waits", Boolean.toString(waits));
        order.put("count", Integer.toString(groups.size()));
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.get(i);
            String own = "group." + i + ".";
            order.put(own + "topic", group.topic());
            order.put(own + "name", group.name());
            order.put(own + "from", PositionText.of(group.from()));
            order.put(own + "rate", Long.toString(group.ratePerSecond()));
        }
        process.ask(Worker.GROUPS, order, ANSWER_BOUND);
    }

    /** Copies a topic into others, as a reader group, until {@link #end}; returns when it has heard from the broker. */
    public void copies(
            String broker,
            Options options,
            String topic,
            String group,
            Map<Integer, Position> from,
            List<String> copies) {
        Map<String, String> order = connected(broker, options);
        order.put("topic", topic);
        order.put("name", group);
        order.put("from", PositionText.of(from));
        order.put("copies", String.join(",", copies));
        process.ask(Worker.COPIES, order, ANSWER_BOUND);
    }

    private static Map<String, String> connected(String broker, Options options) {
        Map<String, String> order = new TreeMap<>();
        order.put("broker", broker);
        options.asMap().forEach((key, value) -> order.put("broker." + key, value));
        return order;
    }

    /** How it goes: the groups in their order, or the one copier. */
    public Look look() {
        return Look.of(process.ask(Worker.LOOK, Map.of(), ANSWER_BOUND));
    }

    /**
     * Ends what was begun.
     *
     * @param until for each group, or the copier, up to where it is to read first; empty ends at once
     * @param bound when the others end too, wherever they are
     */
    public Look end(List<Optional<Map<Integer, Position>>> until, Duration bound) {
        Map<String, String> order = new TreeMap<>();
        order.put("bound-seconds", Long.toString(bound.toSeconds()));
        for (int i = 0; i < until.size(); i++) {
            int number = i;
            until.get(i).ifPresent(ends -> order.put("until." + number, PositionText.of(ends)));
        }
        return Look.of(process.ask(Worker.END, order, ANSWER_BOUND));
    }

    @Override
    public void close() {
        process.close();
    }
}
