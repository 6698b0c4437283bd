package dev.millrace.deploy.local.lifecycle;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.process.ProcessLock;
import dev.millrace.core.process.StopHook;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Build;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.TopicRoom;
import dev.millrace.deploy.local.supervisor.SupervisorProcess;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Brings one stack up and waits until it is worth looking at. Used by one thread. */
public final class StackLauncher {
    /** Each of five parts may take its own bound. */
    private static final Duration STOP_BOUND = Duration.ofMinutes(2);

    private final Installation installation;
    private final RunDirectory directory;
    private final PrintWriter out;
    /** Held by who starts the supervisor, and by who undoes that. */
    private final Object starting = new Object();

    public StackLauncher(Installation installation, RunDirectory directory, PrintWriter out) {
        this.installation = installation;
        this.directory = directory;
        this.out = out;
    }

    /** The settings in a file of a person; refused with the file's name when something in it is wrong. */
    public static Options settingsFile(Path file) {
        return StackCheck.file(file);
    }

    /**
     * How {@link #up} goes about it.
     *
     * @param dryRun says what would be done and does nothing
     * @param dropState open windows and stored rows may go, where a setting asks for that
     */
    public record Manner(boolean dryRun, boolean dropState) {}

    /**
     * Checks everything, starts what is not there, waits for rows in the store (for a bounded run: for its end). Whatever
     * this call started is stopped again when it fails or the process is interrupted; data of before and logs stay. A stack
     * that runs with something else is changed; what nobody named stays as it is.
     */
    @SuppressWarnings("try")
    public void up(StackSettings named, Manner manner) {
        StackCheck.java();
        StackCheck.built(installation, named);
        StackCheck.disk(directory);
        try (ProcessLock lock = directory.lock()) {
            awaitStop();
            if (directory.supervisor().isPresent()) {
                StackChange change = new StackChange(installation, directory, out);
                StackFile here = change.running();
                change.apply(
                        StackPlan.of(
                                here,
                                named.over(here.settings()),
                                installation.build(named.broker()),
                                manner.dropState()),
                        manner.dryRun());
                return;
            }
            boolean resumes = Files.isRegularFile(directory.stackFile())
                    && !halfDeleted(manner.dryRun())
                    && !forgotten(named, manner.dryRun());
            StackPlan plan = plan(resumes ? named : withNames(named), manner, resumes);
            if (manner.dryRun()) {
                out.println((resumes ? "Would resume the stack in " : "Would start a stack in ") + directory.path());
                plan.lines().forEach(line -> out.println("  " + line));
                leaveNothingOfANewStack();
                return;
            }
            out.println(
                    resumes
                            ? "The stack of " + named.broker() + " resumes from its last checkpoint, in "
                                    + directory.path()
                            : "The stack of " + named.broker() + " starts in " + directory.path());
            plan.lines().forEach(line -> out.println("  " + line));
            startAndWait(plan, resumes);
        }
    }

    /** What is being taken down looks as if it ran. */
    private void awaitStop() {
        Optional<ServerProcess> supervisor = directory.supervisor();
        if (!directory.isStopping() || supervisor.isEmpty()) {
            return;
        }
        out.println("The stack in " + directory.path() + " is being taken down; waiting for the end of that.");
        out.flush();
        if (!supervisor.get().awaitExit(STOP_BOUND)) {
            throw new EnvironmentException("the supervisor of " + directory.path() + " (pid "
                    + supervisor.get().pid() + ") takes the stack down and has not ended within "
                    + STOP_BOUND.toSeconds() + " s; wait for it, or end it: millrace down --broker "
                    + directory.broker());
        }
    }

    /**
     * On a broker or store that others use too, names of our own. Not made from the run directory's path, which may be the same on
     * two machines.
     */
    private static StackSettings withNames(StackSettings named) {
        return named.withNames(UUID.randomUUID().toString().substring(0, 8));
    }

    /** Gives the job of a running stack another parallelism; everything else stays, the job jar too. */
    @SuppressWarnings("try")
    public void scale(int parallelism) {
        try (ProcessLock lock = directory.lock()) {
            StackChange change = new StackChange(installation, directory, out);
            if (directory.isStopping()) {
                throw new UserException("the stack of " + directory.broker() + " is being taken down; start it again:"
                        + " millrace up --broker " + directory.broker() + " --parallelism " + parallelism);
            }
            StackFile here = change.running();
            StackSettings settings = here.settings();
            int most = Math.min(settings.partitions(), JobSettings.MAX_PARALLELISM);
            if (parallelism < 1 || parallelism > most) {
                throw new UserException("the parallelism is " + parallelism + "; it must be from 1 to " + most
                        + (most < JobSettings.MAX_PARALLELISM
                                ? ", the number of partitions: more subtasks would stand idle (millrace up --broker "
                                        + settings.broker() + " --partitions N raises it)"
                                : ", which the key groups of the state allow"));
            }
            StackSettings asked = settings.with("parallelism", Integer.toString(parallelism));
            change.apply(StackPlan.of(here, asked, here.build(), false), false);
        }
    }

    /** What can only be said with the lock in hand; a refusal leaves nothing behind. */
    private StackPlan plan(StackSettings named, Manner manner, boolean resumes) {
        Build build = installation.build(named.broker());
        try {
            if (resumes) {
                StackCheck.notMoved(directory);
            }
            StackFile kept =
                    resumes ? StackFile.read(directory.stackFile()).orElseThrow() : new StackFile(named, build, 1);
            StackPlan plan =
                    StackPlan.of(kept, resumes ? named.over(kept.settings()) : named, build, manner.dropState());
            Broker plugin = installation.load(named.broker());
            plan.check(plugin.capabilities());
            StackCheck.serverSettings(plugin, plan.there().settings());
            TopicRoom.require(
                    plugin, plan.there().settings(), resumes ? Optional.of(kept.settings()) : Optional.empty());
            if (directory.processes().isEmpty()) {
                StackCheck.ports(plan.there().settings());
            }
            if (!manner.dryRun()) {
                StackCheck.foreignBroker(plugin, plan.there().settings());
                prepareForeignStore(plan.there(), resumes);
            }
            return plan;
        } catch (UserException | EnvironmentException e) {
            if (!resumes) {
                leaveNothingOfANewStack();
            }
            throw e;
        }
    }

    private void prepareForeignStore(StackFile stack, boolean resumes) {
        boolean notes = !resumes && stack.settings().isForeignStore();
        if (notes) {
            // Before it is made: a database that nobody remembers would stay for ever.
            stack.write(directory.stackFile());
        }
        try {
            StackCheck.foreignStore(stack.settings(), resumes);
        } catch (UserException | EnvironmentException e) {
            if (notes) {
                new StackStopper(directory).forget();
            }
            throw e;
        }
    }

    /** What the checks made. An old stack that a dry run calls forgotten is still there, and stays. */
    private void leaveNothingOfANewStack() {
        if (!Files.isRegularFile(directory.stackFile())) {
            new StackStopper(directory).removeEmpty();
        }
    }

    /** Whether an earlier down was ended in the middle; then the rest goes, too. */
    private boolean halfDeleted(boolean dryRun) {
        StackStopper stopper = new StackStopper(directory);
        if (!stopper.wasDeleting()) {
            return false;
        }
        out.println("An earlier down was ended while it deleted the data of the old stack: the rest "
                + (dryRun ? "would be deleted." : "is deleted."));
        if (!dryRun) {
            stopper.stop(false);
        }
        return true;
    }

    /** Whether the readings went with the broker's process; then what is left of the stack goes too. */
    private boolean forgotten(StackSettings asked, boolean dryRun) {
        boolean survives = installation.load(asked.broker()).capabilities().contains(Capability.SURVIVES_KILL);
        boolean brokerIsAlive = directory.runsBelow(directory.brokerFolder());
        boolean foreign =
                directory.settings().map(StackSettings::isForeignBroker).orElse(asked.isForeignBroker());
        if (survives || brokerIsAlive || foreign) {
            return false;
        }
        out.println("Broker " + asked.broker()
                + " keeps readings in its process only, and that is gone: the rest of the old stack "
                + (dryRun ? "would be deleted." : "is deleted."));
        if (!dryRun) {
            new StackStopper(directory).stop(false);
        }
        return true;
    }

    private void startAndWait(StackPlan plan, boolean resumes) {
        StackFile stack = plan.there();
        StackWatch watch = new StackWatch(directory, out);
        Set<Long> before = pids();
        StopHook undo;
        try {
            // Before anything is started: whoever is ended between the two would leave what is.
            undo = new StopHook("undo-up", () -> {
                synchronized (starting) {
                    watch.end();
                    undo(plan, resumes, before);
                }
            });
        } catch (IllegalStateException e) {
            throw watch.awaitEnd();
        }
        boolean ready = false;
        try {
            long sinceMillis = System.currentTimeMillis();
            ServerProcess supervisor = start(stack, watch);
            watch.awaitRows(stack.settings(), supervisor);
            if (resumes) {
                watch.awaitCheckpoint(stack.settings(), supervisor, sinceMillis);
                GeneratorRate.hold(plan, directory);
            }
            ready = true;
        } finally {
            boolean interrupted = !undo.remove();
            if (!ready && !interrupted) {
                undo(plan, resumes, before);
            }
        }
        StackChange.complete(directory, stack);
        watch.printWhere();
    }

    /** Not while what was started is being taken down, and not after it. */
    private ServerProcess start(StackFile stack, StackWatch watch) {
        synchronized (starting) {
            if (watch.isEnded()) {
                throw watch.awaitEnd();
            }
            installation.keepBuild(directory, stack);
            stack.write(directory.stackFile());
            return SupervisorProcess.start(installation, directory, stack);
        }
    }

    private Set<Long> pids() {
        return directory.processes().stream().map(ServerProcess::pid).collect(Collectors.toSet());
    }

    /**
     * Stops everything, but for what ran before; data that this call made go too, so that the next up may ask for something else.
     *
     * @param before pids of what a supervisor that died has left to be taken over
     */
    private void undo(StackPlan plan, boolean keepData, Set<Long> before) {
        boolean takesOver = keepData && !before.isEmpty();
        out.println("Stopping what was started ..." + (takesOver ? " What ran before runs on, unwatched." : ""));
        out.flush();
        StackStopper stopper = new StackStopper(directory);
        try {
            Optional<StackFile> old = keepData ? Optional.of(takenBack(plan)) : Optional.empty();
            if (takesOver) {
                stopper.stopAllBut(before);
            } else {
                stopper.stop(keepData);
            }
            old.ifPresentOrElse(stack -> stack.write(directory.stackFile()), stopper::removeLock);
        } catch (EnvironmentException e) {
            // Why the start failed is said next and must not be lost for this.
            out.println(e.getMessage());
            out.flush();
        }
    }

    /** Asks the broker, as long as it is there. */
    private StackFile takenBack(StackPlan plan) {
        return TakenBack.of(
                plan,
                installation.load(plan.here().settings().broker())::connect,
                TakenBack.ways(plan, directory.state().stream()));
    }
}
