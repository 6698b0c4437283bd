package dev.millrace.perf.run;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.TopicRoom;
import dev.millrace.deploy.local.lifecycle.StackLauncher;
import dev.millrace.deploy.local.lifecycle.StackStopper;
import dev.millrace.perf.probe.MemoryBudget;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.round.LeftStacks;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.LocalProcesses;
import dev.millrace.perf.run.stage.Turn;
import dev.millrace.perf.scenario.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Runs on stacks of this machine. */
public final class StackRun implements Runs {
    private static final String OF_BROKER = "broker.";

    private final Installation installation;
    private final Path base;
    private final Scenario scenario;
    private final Map<String, String> options;
    private final Path results;
    private final Interruption interruption;
    private final Consumer<String> progress;
    private Optional<MemoryBudget> budget = Optional.empty();
    private volatile boolean starting;

    /**
     * @param base where stacks have their run directories while they are measured
     * @param options of {@code millrace up} beyond the scenario's, by name
     * @param results where each run's own files go
     */
    public StackRun(
            Installation installation,
            Path base,
            Scenario scenario,
            Map<String, String> options,
            Path results,
            Interruption interruption,
            Consumer<String> progress) {
        this.installation = installation;
        this.base = base;
        this.scenario = scenario;
        this.options = options;
        this.results = results;
        this.interruption = interruption;
        this.progress = progress;
    }

    /**
     * What {@code up} is given for {@code broker}; throws UserException when something in it is wrong.
     *
     * @param isFloor whether it only shows what the rig itself takes: what is compared has options that it need not know
     */
    public StackSettings settings(String broker, boolean isFloor) {
        Map<String, String> up = new TreeMap<>(scenario.up());
        if (isForeignBroker(options)) {
            // The scenario bounds a server that is started; a person's own is not.
            up.remove("broker-memory");
        }
        up.putAll(options);
        if (isFloor) {
            up.keySet().removeIf(key -> key.startsWith(OF_BROKER));
        }
        up.put("broker", broker);
        up.put("latency-log", "true");
        StackSettings settings = bind(up);
        scenario.refuse(settings);
        return isFloor ? fitting(settings, up) : settings;
    }

    private StackSettings bind(Map<String, String> up) {
        return StackSettings.bind("scenario " + scenario.name(), Options.of(up));
    }

    /** A floor keeps in memory what others keep on disks; with less it still shows what the rig takes. */
    private StackSettings fitting(StackSettings settings, Map<String, String> up) {
        // One that is not built is said to be missing when it is to start.
        Optional<TopicRoom> lacking = installation.builtBrokers().contains(settings.broker())
                ? TopicRoom.lacking(installation.load(settings.broker()), settings, scenario.topicsBeside())
                : Optional.empty();
        // A backlog must stay until it is drained.
        if (lacking.isEmpty()
                || lacking.get().fittingBytes() == 0
                || scenario.backlog().isPresent()) {
            return settings;
        }
        up.put("retention-bytes", Long.toString(lacking.get().fittingBytes()));
        return bind(up);
    }

    /**
     * Whether runs use a broker of a person's own.
     *
     * @param options of {@code millrace up} beyond the scenario's, by name
     */
    public static boolean isForeignBroker(Map<String, String> options) {
        return options.containsKey("address");
    }

    @Override
    public Run run(Turn turn) {
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        RunDirectory directory = RunDirectory.of(base, turn.broker());
        Optional<String> remark;
        Run run;
        try {
            run = made(turn, started, directory);
        } finally {
            remark = remove(directory);
            budget.ifPresent(MemoryBudget::close);
            budget = Optional.empty();
        }
        return run.with(Map.of(), Map.of(), List.of(), remark.stream().toList());
    }

    /** What was measured stays when that fails, and the next run looks for what is left; a sentence then. */
    private static Optional<String> remove(RunDirectory directory) {
        try {
            if (directory.settings().isPresent()) {
                new StackStopper(directory).down(false);
            }
            return Optional.empty();
        } catch (EnvironmentException | UserException e) {
            return Optional.of("its stack could not be removed: " + e.getMessage());
        }
    }

    private Run made(Turn turn, String started, RunDirectory directory) {
        try {
            LeftStacks.remove(base, progress);
            budget = scenario.memoryBytes() == 0 ? Optional.empty() : MemoryBudget.enter(scenario.memoryBytes());
            bringUp(turn, directory, settings(turn.broker(), turn.isFloor()));
            return new StackMeasurement(
                            installation,
                            directory,
                            scenario,
                            results,
                            new LocalProcesses(budget),
                            interruption,
                            progress)
                    .run(turn, started);
        } catch (Interruption.Asked e) {
            return turn.unmeasured(started, Turn.INTERRUPTED);
        } catch (EnvironmentException | UserException e) {
            return turn.unmeasured(started, interruption.isAsked() ? Turn.INTERRUPTED : e.getMessage());
        }
    }

    /** While a stack is being brought up the launcher follows that wish: it takes the stack down and never returns. */
    @Override
    public boolean isStarting() {
        return starting;
    }

    private void bringUp(Turn turn, RunDirectory directory, StackSettings settings) {
        progress.accept("starting");
        Path log = results.resolve(turn.id() + ".up.log");
        LeftStacks.mark(directory);
        starting = true;
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(log), true)) {
            new StackLauncher(installation, directory, out).up(settings, new StackLauncher.Manner(false, false));
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + log + ": " + e.getMessage(), e);
        } finally {
            starting = false;
        }
        interruption.pause(0);
    }
}
