package dev.millrace.deploy.local;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Brings one stack up and waits until it is worth looking at. Used by one thread. */
public final class StackLauncher {
    private static final Duration START_BOUND = Duration.ofMinutes(4);
    private static final Duration LOOK = Duration.ofMillis(300);
    private static final int RESTARTS_MAX_WHILE_STARTING = 3;
    private static final int LOG_TAIL_LINES = 15;

    private final Installation installation;
    private final RunDirectory directory;
    private final PrintWriter out;
    private final long startNanos = System.nanoTime();
    private final Set<String> told = new HashSet<>();

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
     * Checks everything, starts what is not there, waits for rows in the store (for a bounded run: for its end). Whatever
     * this call started is stopped again when it fails or the process is interrupted; data of before and logs stay.
     */
    @SuppressWarnings("try")
    public void up(StackSettings named) {
        StackCheck.java();
        StackCheck.built(installation, named);
        StackSettings asked = withTopicPrefix(named);
        StackCheck.disk(directory);
        try (StackLock lock = StackLock.take(directory)) {
            if (directory.supervisor().isPresent()) {
                alreadyThere(asked);
                return;
            }
            boolean resumes = Files.isRegularFile(directory.stackFile()) && !forgotten(asked);
            checkAgain(asked, resumes);
            out.println(
                    resumes
                            ? "The stack of " + asked.broker() + " resumes from its last checkpoint, in "
                                    + directory.path()
                            : "The stack of " + asked.broker() + " starts in " + directory.path());
            startAndWait(asked, resumes);
        }
    }

    /**
     * On a broker that others use too, names of our own: those of the stack that is there, else new ones. Not made from the
     * run directory's path, which may be the same on two machines.
     */
    private StackSettings withTopicPrefix(StackSettings named) {
        if (!named.isForeignBroker() || named.values().get("topic-prefix").isPresent()) {
            return named;
        }
        return named.withTopicPrefix(directory
                .settings()
                .filter(StackSettings::isForeignBroker)
                .map(kept -> kept.text("topic-prefix"))
                .orElseGet(() -> "millrace-" + UUID.randomUUID().toString().substring(0, 8) + "-"));
    }

    /** What can only be said with the lock in hand; a refusal leaves nothing behind. */
    private void checkAgain(StackSettings asked, boolean resumes) {
        try {
            if (resumes) {
                StackCheck.keptData(directory, asked);
            }
            if (directory.processes().isEmpty()) {
                StackCheck.ports(asked);
            }
        } catch (UserException e) {
            if (!resumes) {
                StackStopper stopper = new StackStopper(directory);
                stopper.stop(false);
                stopper.removeLock();
            }
            throw e;
        }
    }

    /** Whether the readings went with the broker's process; then what is left of the stack goes too. */
    private boolean forgotten(StackSettings asked) {
        boolean survives = installation.load(asked.broker()).capabilities().contains(Capability.SURVIVES_KILL);
        boolean brokerIsAlive =
                directory.processes().stream().anyMatch(process -> process.log().startsWith(directory.brokerFolder()));
        if (survives || brokerIsAlive || asked.isForeignBroker()) {
            return false;
        }
        out.println("Broker " + asked.broker()
                + " keeps readings in its process only, and that is gone: the rest of the" + " old stack is deleted.");
        new StackStopper(directory).stop(false);
        return true;
    }

    private void alreadyThere(StackSettings asked) {
        List<StackSettings.Difference> differences =
                directory.settings().map(here -> here.differences(asked)).orElse(List.of());
        List<String> lines = new ArrayList<>();
        differences.forEach(difference -> lines.add(difference.toString()));
        StackState state = directory.state().orElse(null);
        String sha256 = installation.jobJarSha256();
        if (state != null && !state.jobJarSha256().equals(sha256)) {
            lines.add("job jar: " + brief(state.jobJarSha256()) + " -> " + brief(sha256));
        }
        String broker = asked.broker();
        if (lines.isEmpty()) {
            out.println("The stack of " + broker
                    + " is up already, with this job jar and these settings; nothing changed.");
            directory.state().ifPresent(this::printWhere);
            return;
        }
        boolean keepsData = differences.stream().noneMatch(StackSettings.Difference::withData);
        throw new UserException("the stack of broker '" + broker + "' is up with something else (running -> asked): "
                + String.join("; ", lines) + ". To apply it: millrace down --broker " + broker
                + (keepsData
                        ? " --keep-data, then the same up again"
                        : " (its data belong to the old settings and go), then" + " the same up again"));
    }

    private static String brief(String sha256) {
        return sha256.substring(0, Math.min(12, sha256.length()));
    }

    private void startAndWait(StackSettings asked, boolean resumes) {
        StackPorts ports = new StackPorts(directory, asked);
        StackFiles files = new StackFiles(installation, directory, asked, ports);
        PropertiesFile.write(directory.stackFile(), asked.values().asMap());
        forgetLastState();
        ServerProcess supervisor = ServerProcess.start(
                StackState.SUPERVISOR, directory.supervisorFolder(), detached(files.supervisor()), Map.of());
        Thread undo = new Thread(() -> undo(resumes), "undo-up");
        Runtime.getRuntime().addShutdownHook(undo);
        boolean ready = false;
        try {
            await(asked, supervisor);
            ready = true;
        } finally {
            boolean interrupted = !removed(undo);
            if (!ready && !interrupted) {
                undo(resumes);
            }
        }
        directory.state().ifPresent(this::printWhere);
    }

    private static boolean removed(Thread hook) {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Stops everything; data that this call made go too, so that the next up may ask for something else. */
    private void undo(boolean keepData) {
        out.println("Stopping what was started ...");
        out.flush();
        StackStopper stopper = new StackStopper(directory);
        try {
            stopper.stop(keepData);
            if (!keepData) {
                stopper.removeLock();
            }
        } catch (EnvironmentException e) {
            // Why the start failed is said next and must not be lost for this.
            out.println(e.getMessage());
            out.flush();
        }
    }

    /** A failure of an earlier start must not be taken for one of this start. */
    private void forgetLastState() {
        try {
            Files.deleteIfExists(directory.endpointsFile());
        } catch (java.io.IOException e) {
            throw new EnvironmentException("cannot write in " + directory.path() + ": " + e.getMessage(), e);
        }
    }

    /** A session of its own: closing the terminal does not reach the stack, nor does Ctrl-C. */
    private static List<String> detached(List<String> command) {
        List<String> all = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/setsid")) || Files.isExecutable(Path.of("/bin/setsid"))) {
            all.add("setsid");
        } else {
            all.addAll(List.of("perl", "-e", "use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV or die $!"));
        }
        all.addAll(command);
        return all;
    }

    private void await(StackSettings asked, ServerProcess supervisor) {
        Duration bound = START_BOUND.plus(asked.window()).plus(asked.outOfOrderness());
        if (asked.isBounded()) {
            double seconds = asked.rateIsMax() ? 0 : asked.boundedReadings() / asked.rateReadingsPerSecond();
            // A drain at 5,000 readings/s is slower than any machine that this was run on.
            bound = bound.plusSeconds((long) seconds + asked.boundedReadings() / 5000);
        }
        long deadline = System.nanoTime() + bound.toNanos();
        while (System.nanoTime() < deadline) {
            Optional<StackState> state = directory.state();
            state.ifPresent(this::tell);
            if (state.isPresent() && isReady(asked, state.get())) {
                return;
            }
            failIfHopeless(state, supervisor);
            pause();
        }
        throw new EnvironmentException("no rows in the store within " + bound.toSeconds() + " s ("
                + directory.state().map(StackState::message).orElse("nothing started") + "); logs are in "
                + directory.logs() + tail(StackState.JOB_MANAGER));
    }

    private boolean isReady(StackSettings asked, StackState state) {
        if (asked.isBounded()) {
            return state.state() == StackState.State.FINISHED;
        }
        if (state.state() == StackState.State.FINISHED) {
            return true;
        }
        return state.state() == StackState.State.RUNNING && windows(asked, state) > 0;
    }

    private static long windows(StackSettings asked, StackState state) {
        try (StoreClient client = ResultStores.named(asked.store()).connect(state.storeOptions())) {
            return client.extent().windows();
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
            throw new EnvironmentException(state.get().message() + "; logs are in " + directory.logs());
        }
        if (!supervisor.isAlive()) {
            throw new EnvironmentException("the supervisor ended while the stack started; its last words:\n"
                    + supervisor.logTail(LOG_TAIL_LINES) + tail(StackState.SUPERVISOR));
        }
        state.ifPresent(now -> now.parts().forEach((name, part) -> {
            if (part.state().equals(Keeper.REFUSED)) {
                throw new UserException(now.message());
            }
            if (part.restarts() >= RESTARTS_MAX_WHILE_STARTING) {
                throw new EnvironmentException(
                        name + " ended " + part.restarts() + " times while the stack started" + tail(name));
            }
        }));
    }

    private String tail(String name) {
        Path log = directory.logs().resolve(name + ".log");
        List<String> lines = Logs.last(log, LOG_TAIL_LINES);
        if (lines.isEmpty()) {
            log = directory.supervisorFolder().resolve(name + ".log");
            lines = Logs.last(log, LOG_TAIL_LINES);
        }
        return lines.isEmpty() ? "" : "; the end of " + log + ":\n" + String.join("\n", lines);
    }

    private void tell(StackState state) {
        if (state.isForeignBroker() && told.add(StackState.BROKER)) {
            say("broker at " + state.brokerAddress() + ", your own: it has what a stack needs");
        }
        state.parts().forEach((name, part) -> {
            if (part.state().equals("running") && part.pid() > 0 && told.add(name)) {
                say(name + (part.url().isEmpty() ? "" : " at " + part.url()) + " (pid " + part.pid() + ")");
            }
            if (part.restarts() > 0 && told.add(name + part.restarts())) {
                say(name + " ended and was started again; see millrace logs " + name);
            }
        });
        if (!state.message().isEmpty() && told.add(state.message())) {
            say(state.message());
        }
        if (state.state() == StackState.State.RUNNING && told.add("rows")) {
            say("waiting for the first windows in the store");
        }
    }

    private void say(String line) {
        out.printf("  %3d s  %s%n", (System.nanoTime() - startNanos) / 1_000_000_000, line);
        out.flush();
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while the stack started", e);
        }
    }

    private void printWhere(StackState state) {
        out.println();
        line("broker", state.brokerAddress() + topics(state));
        line("web page", state.part(StackState.JOB_MANAGER).url());
        line("store", state.part(StackState.STORE).url());
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

    private void printFigures(StackState state) {
        Optional<JsonNode> generator =
                Http.json(state.part(StackState.GENERATOR).url() + "/state");
        String sent = generator
                .map(g -> g.path("readingsSent").asText() + " readings sent")
                .orElse("");
        String stored = directory
                .settings()
                .map(settings -> windows(settings, state) + " windows stored")
                .orElse("");
        line("so far", sent.isEmpty() ? stored : sent + ", " + stored);
    }

    private void line(String what, String text) {
        if (!text.isEmpty()) {
            out.printf("  %-10s %s%n", what, text);
        }
    }
}
