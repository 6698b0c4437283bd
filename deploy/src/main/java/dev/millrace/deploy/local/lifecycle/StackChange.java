package dev.millrace.deploy.local.lifecycle;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.process.StopHook;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.FlinkRest;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.local.Http;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.local.TopicRoom;
import dev.millrace.deploy.local.supervisor.SupervisorProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Changes a stack while it runs. The order of the steps, and what is there when somebody dies between two of them, is in {@code
 * deploy/adr/0003-changing-a-running-stack.md}. The caller holds the stack's lock; used by one thread.
 */
final class StackChange {
    /** Of a supervisor: a JVM starts, and reads settings. */
    private static final Duration BEGIN_BOUND = Duration.ofSeconds(30);

    /** The new processes are up, the job runs and has completed a checkpoint; without what it waits for that. */
    private static final Duration BOUND = Duration.ofMinutes(3);

    private static final Duration FIRST_ROW_BOUND = Duration.ofSeconds(30);

    private final Installation installation;
    private final RunDirectory directory;
    private final PrintWriter out;
    private final StackWatch watch;
    private final Object ordering = new Object();
    // Guarded by ordering.
    private boolean ordered;
    private boolean interrupted;

    StackChange(Installation installation, RunDirectory directory, PrintWriter out) {
        this.installation = installation;
        this.directory = directory;
        this.out = out;
        this.watch = new StackWatch(directory, out);
    }

    /**
     * What the living supervisor brings about; the stack's file may say something else when a change was interrupted. One that has
     * just begun is waited for: until it has said its state, what is there is of the one before it.
     */
    StackFile running() {
        long deadline = System.nanoTime() + BEGIN_BOUND.toNanos();
        while (directory.state().isEmpty() && directory.supervisor().isPresent() && System.nanoTime() < deadline) {
            StackWatch.pause();
        }
        return StackFile.read(directory.runningFile())
                .or(() -> StackFile.read(directory.stackFile()))
                .orElseThrow(() -> new EnvironmentException("the supervisor of " + directory.path()
                        + " runs without settings; stop it: millrace down" + " --broker " + directory.broker()));
    }

    /** Makes the running stack what the plan asks for; goes back when that does not start. */
    void apply(StackPlan plan, boolean dryRun) {
        String broker = plan.here().settings().broker();
        Broker plugin = installation.load(broker);
        plan.check(plugin.capabilities());
        if (plan.isEmpty()) {
            nothingToDo(plan, dryRun);
            return;
        }
        StackCheck.serverSettings(plugin, plan.there().settings());
        TopicRoom.require(
                plugin, plan.there().settings(), Optional.of(plan.here().settings()));
        checkPorts(plan);
        out.println("The stack of " + broker + (dryRun ? " would change:" : " changes:"));
        plan.lines().forEach(line -> out.println("  " + line));
        out.flush();
        if (dryRun) {
            out.println("Nothing was changed (--dry-run).");
            return;
        }
        requireForeign(plugin, plan.there().settings());
        installation.keepBuild(directory, plan.there());
        try (OutputPause pause = OutputPause.begin(plan.here().settings().store(), directory)) {
            if (plan.touchesJob() && !plan.dropsState()) {
                savepoint();
            }
            StackState before = directory.presentState();
            plan.here().write(directory.previousFile());
            carryOut(plan, before, pause);
            report(plan, pause);
        }
        watch.printWhere();
    }

    /** The same stack is asked for; what an interrupted change has left undone is done now. */
    private void nothingToDo(StackPlan plan, boolean dryRun) {
        StackFile running = plan.here();
        boolean stays =
                StackFile.read(directory.stackFile()).filter(running::isSame).isPresent();
        if (!dryRun && (!stays || Files.exists(directory.previousFile()))) {
            out.println(
                    "A change of the stack of " + running.settings().broker() + " was interrupted; it is completed.");
            running.write(directory.stackFile());
            ServerProcess supervisor = directory.supervisor().orElseThrow(this::noSupervisor);
            long since = directory.state().map(StackState::sinceMillis).orElse(0L);
            watch.await("the change was not complete", bound(plan), supervisor, state -> isReady(state, since));
            GeneratorRate.hold(plan, directory);
            complete(directory, running);
        } else {
            if (!dryRun) {
                // It may have been started by an up that was killed, or have a part that does not start.
                watch.awaitUp(running.settings(), directory.supervisor().orElseThrow(this::noSupervisor));
            }
            out.println("The stack of " + running.settings().broker()
                    + " is up already, with this job jar and these settings; nothing changed.");
        }
        watch.printWhere();
    }

    /** What a person's broker or store refuses, or that it is away, is said while the old supervisor lives: a new one needs both. */
    private static void requireForeign(Broker broker, StackSettings asked) {
        try {
            StackCheck.foreignBroker(broker, asked);
            StackCheck.foreignStore(asked, true);
        } catch (EnvironmentException e) {
            throw new EnvironmentException(e.getMessage() + "; nothing was changed", e);
        }
    }

    private EnvironmentException noSupervisor() {
        return new EnvironmentException(
                "the supervisor of " + directory.path() + " is gone; the same up again starts it");
    }

    /** A port that is named anew must be free before anything is stopped for it. */
    private static void checkPorts(StackPlan plan) {
        StackSettings free = plan.there().settings();
        List<String> kept = StackSettings.keys().stream()
                .map(StackSettings.Key::name)
                .filter(name -> name.endsWith("-port")
                        && plan.differences().stream()
                                .noneMatch(difference -> difference.key().equals(name)))
                .toList();
        StackCheck.ports(free.without(kept));
    }

    private void savepoint() {
        StackState state = directory.state().orElseThrow(this::noSupervisor);
        boolean runs =
                FlinkRest.of(directory, state).job().filter(FlinkRest.Job::runs).isPresent();
        if (!runs) {
            watch.say("the job does not run, so it resumes from its last checkpoint");
            return;
        }
        Savepoints.Taken taken = new Savepoints(directory, state, watch::say).take();
        watch.say("savepoint " + taken.path() + " (" + Values.text(taken.bytes()) + ", " + taken.millis() + " ms)");
    }

    private void carryOut(StackPlan plan, StackState before, OutputPause pause) {
        StopHook hook = new StopHook("interrupted-change", this::interrupt);
        try {
            bring(plan.there(), bound(plan), before, pause);
            GeneratorRate.hold(plan, directory);
        } catch (RuntimeException e) {
            if (hook.remove()) {
                goBack(plan, before, e);
            }
            throw e;
        } finally {
            hook.remove();
        }
        complete(directory, plan.there());
    }

    /** Orders a stack, and waits until it is there. */
    private void bring(StackFile stack, Duration bound, StackState before, OutputPause pause) {
        Replacement job = new Replacement(before, pause);
        ServerProcess supervisor = order(stack);
        watch.await(
                "the changed stack did not run", bound, supervisor, state -> isReady(state, job.sinceMillis(state)));
    }

    /** A job that is not started anew keeps the checkpoints of the old settings. */
    static Duration bound(StackPlan plan) {
        Duration here = StackWatch.checkpointBound(plan.here().settings());
        Duration there = StackWatch.checkpointBound(plan.there().settings());
        return BOUND.plus(here.compareTo(there) > 0 ? here : there);
    }

    /** From here on it is that stack: whoever starts a supervisor brings it about. An interruption comes before or after it. */
    private ServerProcess order(StackFile stack) {
        synchronized (ordering) {
            if (interrupted) {
                throw new EnvironmentException("interrupted");
            }
            stack.write(directory.stackFile());
            ordered = true;
            // Not in order: it would take the stack down. What it started runs on, and the next one takes that over.
            directory.supervisor().ifPresent(ServerProcess::kill);
            return SupervisorProcess.start(installation, directory, stack);
        }
    }

    /** Everything is up, and the job has completed a checkpoint that began after {@code sinceMillis}: its sinks work too. */
    private boolean isReady(StackState state, long sinceMillis) {
        boolean allRun = state.state() == StackState.State.RUNNING
                && state.parts().values().stream()
                        .map(StackState.Part::state)
                        .allMatch(part -> part.equals("running") || part.equals(StackState.FOREIGN));
        return allRun && watch.hasCheckpoint(state, sinceMillis);
    }

    /** The old settings again; both failures are said when that fails too. */
    private void goBack(StackPlan plan, StackState before, RuntimeException failure) {
        out.println("The stack does not run so: " + failure.getMessage());
        out.println("It goes back to what it was ...");
        out.flush();
        StackState failed = directory.state().orElseGet(() -> StackState.of(Map.of()));
        StackFile old = TakenBack.of(
                plan,
                installation.load(plan.here().settings().broker())::connect,
                TakenBack.ways(plan, Stream.of(failed, before)));
        try (OutputPause pause = OutputPause.begin(old.settings().store(), directory)) {
            bring(old, bound(plan), failed, pause);
        } catch (RuntimeException e) {
            throw new EnvironmentException(
                    "the stack runs neither with the new settings (" + firstLine(failure) + ") nor with the old ones: "
                            + e.getMessage(),
                    e);
        }
        complete(directory, old);
        String sentence =
                "the change was taken back and the stack of " + old.settings().broker()
                        + " runs with its old settings again, "
                        + (plan.dropsState()
                                ? "without the state and the rows that were dropped for the change"
                                : "nothing is lost")
                        + "; the new ones failed: "
                        + firstLine(failure);
        throw failure instanceof UserException
                ? new UserException(sentence, failure)
                : new EnvironmentException(sentence, failure);
    }

    /** The end of a log stands below it, and was shown before. */
    private static String firstLine(RuntimeException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    /** On Ctrl-C. Once the new stack is ordered it comes without this command too. */
    private void interrupt() {
        synchronized (ordering) {
            interrupted = true;
            out.println(
                    ordered
                            ? "Interrupted; the change goes on by itself. The same up again waits for it; an up with the"
                                    + " old settings takes it back."
                            : "Interrupted; the stack was not changed.");
            out.flush();
        }
    }

    /** Nothing is left to go back to, and only the build in use is kept. */
    static void complete(RunDirectory directory, StackFile stack) {
        try {
            Files.deleteIfExists(directory.previousFile());
            if (!Files.isDirectory(directory.buildFolder())) {
                return;
            }
            Path folder = directory.buildFolder();
            Set<Path> used =
                    Set.of(stack.build().jobJarIn(folder), stack.build().pluginIn(folder));
            try (Stream<Path> kept = Files.list(folder)) {
                for (Path build : kept.toList()) {
                    if (!used.contains(build)) {
                        Folders.delete(build);
                    }
                }
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot tidy up in " + directory.path() + ": " + e.getMessage(), e);
        }
    }

    private void report(StackPlan plan, OutputPause pause) {
        out.println("The stack of " + plan.here().settings().broker() + " is changed.");
        if (plan.dropsState()) {
            out.println(
                    "The store is filled anew with all that the broker still keeps; 'millrace status' shows the lag.");
        }
        if (plan.dropsState() || !plan.touchesJob()) {
            return;
        }
        if (!pause.isCut()) {
            out.println("No process of the job had to start again.");
            return;
        }
        StackSettings settings = plan.there().settings();
        Duration bound = FIRST_ROW_BOUND.plus(settings.window()).plus(settings.outOfOrderness());
        long deadline = System.nanoTime() + bound.toNanos();
        OptionalDouble seconds = pause.seconds();
        while (seconds.isEmpty() && System.nanoTime() < deadline && isSending()) {
            StackWatch.pause();
            seconds = pause.seconds();
        }
        out.println(
                seconds.isEmpty()
                        ? "No window was closed since."
                        : String.format(
                                Locale.ROOT,
                                "The output paused for %.1f s, from the last row before to the first row after (windows"
                                        + " are %s).",
                                seconds.getAsDouble(),
                                settings.text("window")));
    }

    private boolean isSending() {
        return Http.json(GeneratorRate.url(directory) + "/state")
                .filter(state -> state.path("state").asText().equals("running"))
                .isPresent();
    }
}
