package dev.millrace.deploy.local.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.FlinkRest;
import dev.millrace.deploy.local.Http;
import dev.millrace.deploy.local.Logs;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.local.supervisor.Keeper;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Looks on while a supervisor brings a stack up, and tells a person how far it is. Used by one thread, but for {@link #end}. */
final class StackWatch {
    private static final Duration START_BOUND = Duration.ofMinutes(4);
    private static final Duration LOOK = Duration.ofMillis(300);
    private static final int RESTARTS_MAX_WHILE_STARTING = 3;
    private static final int LOG_TAIL_LINES = 15;

    private final RunDirectory directory;
    private final PrintWriter out;
    private final long startNanos = System.nanoTime();
    private final Set<String> told = new HashSet<>();
    /** How often each part had been started again when it was first looked at: a supervisor that is weeks old may have done so. */
    private final Map<String, Integer> restartsBefore = new HashMap<>();

    private boolean drains;
    private volatile boolean ended;

    StackWatch(RunDirectory directory, PrintWriter out) {
        this.directory = directory;
        this.out = out;
    }

    /**
     * This process is being ended, and undoes what it did: what is seen of that is no failure to tell of, and whoever waits here
     * waits for the end.
     */
    void end() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    /** Waits for the end of this process, and so does not return. */
    RuntimeException awaitEnd() {
        while (true) {
            pause();
        }
    }

    /** Waits until the stack is ready for the first time: rows are in the store; a bounded run is through. */
    void awaitRows(StackSettings asked, ServerProcess supervisor) {
        await("no rows in the store", bound(asked), supervisor, state -> hasRows(asked, state));
    }

    /**
     * Waits until a stack that another call started is ready. Its rows may be of before its job began, and that call may have been killed
     * before it saw more; Flink counts the checkpoints of this job alone, not the one that it resumed from.
     */
    void awaitUp(StackSettings asked, ServerProcess supervisor) {
        awaitRows(asked, supervisor);
        await("no checkpoint since the start", bound(asked), supervisor, state -> {
            boolean ready = state.state() == StackState.State.FINISHED || hasCheckpoint(state, 0);
            if (!ready && told.add("checkpoint")) {
                say("waiting for a checkpoint of the job");
            }
            return ready;
        });
    }

    /** Waits until the job has completed a checkpoint that began after {@code sinceMillis}: the rows may be of before. */
    void awaitCheckpoint(StackSettings asked, ServerProcess supervisor, long sinceMillis) {
        if (asked.isBounded()) {
            return;
        }
        say("waiting for a checkpoint of the job that resumes");
        await("no checkpoint since the start", bound(asked), supervisor, state -> hasCheckpoint(state, sinceMillis));
    }

    /** Whether the job runs and has completed a checkpoint that began after {@code sinceMillis}. */
    boolean hasCheckpoint(StackState state, long sinceMillis) {
        return FlinkRest.of(directory, state)
                .job()
                .filter(job -> job.runs() && job.checkpointTriggeredMillis().orElse(0) > sinceMillis)
                .isPresent();
    }

    /** Flink begins the first checkpoint at a random moment of the first interval; the store has rows only after one. */
    static Duration checkpointBound(StackSettings asked) {
        return Values.duration(asked.text("checkpoint-interval")).multipliedBy(2);
    }

    static Duration bound(StackSettings asked) {
        Duration bound =
                START_BOUND.plus(asked.window()).plus(asked.outOfOrderness()).plus(checkpointBound(asked));
        if (asked.isBounded()) {
            double seconds = asked.rateIsMax() ? 0 : asked.boundedReadings() / asked.rateReadingsPerSecond();
            // A drain at 5,000 readings/s is slower than any machine that this was run on.
            bound = bound.plusSeconds((long) seconds + asked.boundedReadings() / 5000);
        }
        return bound;
    }

    /** Waits until {@code ready}; fails when it takes longer than {@code bound} or cannot be hoped for any more. */
    void await(String otherwise, Duration bound, ServerProcess supervisor, Predicate<StackState> ready) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (ended || System.nanoTime() < deadline) {
            if (ended) {
                pause();
                continue;
            }
            Optional<StackState> state = directory.state();
            state.ifPresent(this::tell);
            if (state.isPresent() && ready.test(state.get())) {
                return;
            }
            failIfHopeless(state, supervisor);
            pause();
        }
        throw new EnvironmentException(otherwise + " within " + bound.toSeconds() + " s ("
                + directory.state().map(StackState::message).orElse("nothing started") + "); logs are in "
                + directory.logs() + tail(StackState.JOB_MANAGER));
    }

    private boolean hasRows(StackSettings asked, StackState state) {
        if (asked.isBounded()) {
            // The start is over; a drain takes as long as it takes, and what ends meanwhile the supervisor starts
            // again.
            drains |= state.state() == StackState.State.RUNNING;
            return state.state() == StackState.State.FINISHED;
        }
        if (state.state() == StackState.State.FINISHED) {
            return true;
        }
        if (state.state() != StackState.State.RUNNING) {
            return false;
        }
        if (told.add("rows")) {
            say("waiting for the first " + rowsOf(asked) + " in the store");
        }
        return rows(asked, state) > 0;
    }

    private static String rowsOf(StackSettings asked) {
        return asked.isLatestTimes() ? "latest times" : "windows";
    }

    private static long rows(StackSettings asked, StackState state) {
        try (StoreClient client = ResultStores.named(asked.store()).connect(state.storeOptions())) {
            return client.extent().rows();
        } catch (EnvironmentException e) {
            return 0;
        }
    }

    private void failIfHopeless(Optional<StackState> state, ServerProcess supervisor) {
        if (state.isPresent() && state.get().state() == StackState.State.FAILED) {
            supervisor.awaitExit(Duration.ofSeconds(5));
            String code = PropertiesFile.read(directory.endpointsFile())
                    .map(values -> values.getOrDefault("exit-code", "3"))
                    .orElse("3");
            if (code.equals("2")) {
                throw new UserException(state.get().message());
            }
            String message = state.get().message() + "; logs are in " + directory.logs();
            if (code.equals("1")) {
                throw new IllegalStateException("of the supervisor: " + message);
            }
            throw new EnvironmentException(message);
        }
        if (!supervisor.isAlive()) {
            throw new EnvironmentException("the supervisor ended while the stack started; its last words:\n"
                    + supervisor.logTail(LOG_TAIL_LINES) + tail(StackState.SUPERVISOR));
        }
        state.ifPresent(now -> now.parts().forEach((name, part) -> {
            if (part.state().equals(Keeper.REFUSED)) {
                throw new UserException(now.message());
            }
            // The least: what is seen first may still be of the supervisor before this one.
            int restarts = part.restarts() - restartsBefore.merge(name, part.restarts(), Math::min);
            if (!drains && restarts >= RESTARTS_MAX_WHILE_STARTING) {
                throw new EnvironmentException(name + " ended " + restarts + " times while the stack started"
                        + (part.ended().isEmpty() ? "" : ", the last time " + part.ended()) + tail(name));
            }
        }));
    }

    /** The end of its log or of its raw output, whichever was written last: a Java that cannot start has no log. */
    private String tail(String name) {
        String file = name + ".log";
        return Stream.of(
                        directory.logs().resolve(file),
                        directory.supervisorFolder().resolve(file))
                .filter(log -> !Logs.last(log, 1).isEmpty())
                .max(Comparator.comparingLong(log -> log.toFile().lastModified()))
                .map(log -> "; the end of " + log + ":\n" + String.join("\n", Logs.last(log, LOG_TAIL_LINES)))
                .orElse("");
    }

    private void tell(StackState state) {
        if (state.isForeignBroker() && told.add(StackState.BROKER)) {
            say("broker at " + state.brokerAddress() + ", your own: it has what a stack needs");
        }
        if (state.isForeignStore() && told.add(StackState.STORE)) {
            say("store at " + state.part(StackState.STORE).url() + ", your own: the stack's tables are there");
        }
        state.parts().forEach((name, part) -> {
            if (part.state().equals("running") && part.pid() > 0 && told.add(name)) {
                say(name + (part.url().isEmpty() ? "" : " at " + part.url()) + " (pid " + part.pid() + ")");
            }
            if (part.restarts() > 0 && told.add(name + part.restarts())) {
                say(name + " ended " + (part.ended().isEmpty() ? "" : part.ended() + " ")
                        + "and was started again; see millrace logs " + name);
            }
        });
        if (!state.message().isEmpty() && told.add(state.message())) {
            say(state.message());
        }
    }

    void say(String line) {
        out.printf(Locale.ROOT, "  %3d s  %s%n", (System.nanoTime() - startNanos) / 1_000_000_000, line);
        out.flush();
    }

    static void pause() {
        try {
            Thread.sleep(LOOK.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while the stack started", e);
        }
    }

    /** What runs where, the first figures, how to look and how to stop. */
    void printWhere() {
        directory.state().ifPresent(this::printWhere);
    }

    private void printWhere(StackState state) {
        out.println();
        line("broker", state.brokerAddress() + topics(state));
        line("page", state.part(StackState.SUPERVISOR).url() + "/  (what the stack does, live)");
        line("Flink", state.part(StackState.JOB_MANAGER).url());
        line("store", state.part(StackState.STORE).url() + database(state));
        line("generator", state.part(StackState.GENERATOR).url());
        state.parts()
                .forEach((name, part) -> line(
                        "metrics",
                        part.pid() > 0 && !part.metricsUrl().isEmpty() ? part.metricsUrl() + "  (" + name + ")" : ""));
        line("logs", directory.logs().toString());
        printFigures(state);
        String broker = directory.broker();
        out.println();
        line("look", "millrace status --broker " + broker + ", results, audit, logs");
        line("stop", "millrace down --broker " + broker + " (--keep-data: to go on later)");
        out.flush();
    }

    private String topics(StackState state) {
        return !state.isForeignBroker()
                ? ""
                : directory
                        .settings()
                        .map(settings -> "  (your own; topics " + settings.text("topic-prefix") + "*)")
                        .orElse("");
    }

    private String database(StackState state) {
        return !state.isForeignStore()
                ? ""
                : directory
                        .settings()
                        .map(settings -> "  (your own; database " + settings.text("store-database") + ")")
                        .orElse("");
    }

    private void printFigures(StackState state) {
        Optional<JsonNode> generator =
                Http.json(state.part(StackState.GENERATOR).url() + "/state");
        String sent = generator
                .map(g -> g.path("readingsSent").asText() + " readings sent")
                .orElse("");
        String stored = directory
                .settings()
                .map(settings -> rows(settings, state) + " " + rowsOf(settings) + " stored")
                .orElse("");
        line("so far", sent.isEmpty() ? stored : sent + ", " + stored);
    }

    private void line(String what, String text) {
        if (!text.isEmpty()) {
            out.printf("  %-10s %s%n", what, text);
        }
    }
}
