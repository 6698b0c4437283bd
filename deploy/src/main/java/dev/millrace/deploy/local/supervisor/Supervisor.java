package dev.millrace.deploy.local.supervisor;

import com.sun.net.httpserver.HttpExchange;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.Brokers;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.process.ProcessLock;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Http;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.Site;
import dev.millrace.deploy.local.StackFile;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.local.StackState.State;
import dev.millrace.deploy.local.part.BrokerPart;
import dev.millrace.deploy.local.part.Part;
import dev.millrace.deploy.local.part.ProcessLaunch;
import dev.millrace.deploy.local.part.ProcessPart;
import dev.millrace.deploy.local.part.StorePart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that starts a stack in order and keeps it alive until it is told to stop (SIGTERM). It can die itself: what it
 * started runs on, and the next supervisor takes it over.
 */
public final class Supervisor {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final long LOOK_MILLIS = 500;
    private static final Runnable NOTHING = () -> {};

    private final RunDirectory directory;
    private final StackSettings settings;
    private final Transition transition;
    private final StackFiles files;
    private final String jobJarSha256;
    private final Broker plugin;
    private final BrokerPart broker;
    private final StorePart store;
    private final Keeper brokerKeeper;
    private final Keeper storeKeeper;
    private final Keeper generator;
    private final Keeper taskManager;
    private final Keeper jobManager;
    private final SupervisorHttp http;
    private final String url;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Path finishedMark;
    /** Processes of a supervisor that is gone run; a start that fails must not end them. */
    private final boolean takesOver;

    private State state = State.STARTING;
    private String message = "";
    /** Why the last look failed; empty when it did not. */
    private volatile String trouble = "";

    private long sinceMillis = System.currentTimeMillis();

    private Supervisor(Installation installation, RunDirectory directory) {
        this.directory = directory;
        StackFile stack = StackFile.read(directory.stackFile())
                .orElseThrow(() -> new UserException("there is no stack in " + directory.path()));
        this.settings = stack.settings();
        this.transition = new Transition(directory, stack);
        Site site = new StackPorts(directory, settings);
        this.files = new StackFiles(
                installation,
                directory.jobJar(stack, installation),
                directory.plugin(stack, installation),
                directory,
                settings,
                site);
        this.jobJarSha256 = stack.build().jobJar();
        this.plugin = Brokers.named(settings.broker());
        this.broker = BrokerPart.of(plugin, settings, directory);
        this.store = StorePart.of(ResultStores.named(settings.store()), settings, directory);
        this.brokerKeeper = new Keeper(broker, NOTHING);
        this.storeKeeper = new Keeper(store, NOTHING);
        this.generator = new Keeper(
                part(StackState.GENERATOR, () -> files.generator(broker.options()), replaced -> {}), NOTHING);
        // Flink goes on from a checkpoint however it ended: nothing is gained by an end in order, and it takes seconds.
        this.taskManager = new Keeper(part(StackState.TASK_MANAGER, files::taskManager, Part::kill), NOTHING);
        // A TaskManager without its JobManager would run the old attempt's tasks on until its heartbeats time out.
        Runnable killTaskManager = () -> taskManager.part().kill();
        this.jobManager = new Keeper(
                part(StackState.JOB_MANAGER, () -> files.jobManager(broker.options(), store.options()), replaced -> {
                    replaced.kill();
                    killTaskManager.run();
                }),
                killTaskManager);
        int port = site.port(Site.SUPERVISOR, "");
        this.url = "http://127.0.0.1:" + port;
        this.http =
                new SupervisorHttp(port, this::view, StackPage.find(directory).orElse(HttpExchange::close));
        long own = ProcessHandle.current().pid();
        this.takesOver = directory.processes().stream().anyMatch(process -> process.pid() != own);
        this.finishedMark = directory.supervisorFolder().resolve("finished");
        all().forEach(http::watch);
        http.cpuOfThis(StackState.SUPERVISOR);
        stack.write(directory.runningFile());
    }

    private ProcessPart part(String name, Supplier<ProcessLaunch> prepare, Consumer<Part> beforeReplaced) {
        return new ProcessPart(name, directory, files.log(name), prepare, beforeReplaced, files.scratch(name));
    }

    private List<Keeper> all() {
        return List.of(brokerKeeper, storeKeeper, jobManager, taskManager, generator);
    }

    /** Arguments: the run directory. Exit codes as everywhere; 0 after SIGTERM. */
    @SuppressWarnings("try") // a lock is held, not used
    public static void main(String[] arguments) {
        RunDirectory directory = new RunDirectory(Path.of(arguments[0]));
        try (ProcessLock lock = ProcessLock.take(
                directory.supervisorFolder().resolve("supervisor.lock"),
                "another supervisor runs in " + directory.path())) {
            new Supervisor(Installation.of(directory), directory).run();
        } catch (RuntimeException | Error e) {
            // An Error, too: a plugin without one of its jars. The HTTP threads would keep a process alive that does
            // nothing.
            LOG.error("the supervisor ends", e);
            try {
                failed(directory, e);
            } finally {
                Runtime.getRuntime().halt(e instanceof UserException ? 2 : e instanceof EnvironmentException ? 3 : 1);
            }
        }
        // Threads of the broker's client must not keep a supervisor alive that has stopped its stack.
        Runtime.getRuntime().halt(0);
    }

    /** Leaves the sentence where `up` finds it. */
    private static void failed(RunDirectory directory, Throwable failure) {
        String sentence = failure instanceof UserException || failure instanceof EnvironmentException
                ? failure.getMessage()
                : "internal error: " + failure;
        Map<String, String> values =
                PropertiesFile.read(directory.endpointsFile()).orElseGet(LinkedHashMap::new);
        values.put("state", State.FAILED.word());
        values.put("message", sentence);
        values.put(
                "exit-code",
                failure instanceof UserException ? "2" : failure instanceof EnvironmentException ? "3" : "1");
        PropertiesFile.write(directory.endpointsFile(), values);
    }

    private void run() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
        try {
            startAll();
        } catch (RuntimeException | Error e) {
            if (stopping.getCount() > 0) {
                // A change goes back to what was before it, and takes over what is alive.
                if (!takesOver && !Files.exists(directory.previousFile())) {
                    stop();
                }
                throw e;
            }
        }
        awaitStop();
    }

    private void awaitStop() {
        try {
            while (!stopping.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                trouble = failureOf(this::look, trouble);
                if (!trouble.isEmpty()) {
                    publish();
                }
            }
            // The shutdown hook stops everything and then this process ends; nothing is left to do here.
            Thread.sleep(TimeUnit.MINUTES.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Why a look failed, empty when it did not. A port that was taken meanwhile or a full disk is no reason to leave all that runs
     * unwatched: the next look tries again. What failed just so {@code before} is not logged again.
     */
    static String failureOf(Runnable look, String before) {
        try {
            look.run();
            return "";
        } catch (RuntimeException | LinkageError e) {
            String sentence = String.valueOf(e.getMessage());
            if (!sentence.equals(before)) {
                LOG.warn("a look failed; the next one tries again", e);
            }
            return sentence;
        }
    }

    private void startAll() {
        move(State.STARTING, "broker and store start");
        transition.begin(generator.part(), List.of(taskManager.part(), jobManager.part()), store);
        start(brokerKeeper);
        transition.brokerIsUp(broker);
        start(storeKeeper);
        if (Files.exists(finishedMark)) {
            start(generator);
            move(State.FINISHED, "all readings are sent and all windows are closed");
        } else if (settings.isBounded()) {
            start(generator);
            move(State.STARTING, "the generator sends " + settings.boundedReadings() + " readings");
        } else {
            start(jobManager);
            start(taskManager);
            if (!transition.addsPartitions()) {
                start(generator);
            }
            move(State.STARTING, "the job starts");
        }
    }

    private void start(Keeper keeper) {
        if (stopping.getCount() > 0) {
            keeper.start();
            publish();
        }
    }

    private void look() {
        if (state == State.FINISHED) {
            publish();
            return;
        }
        if (!jobManager.isStarted() || !taskManager.isStarted()) {
            lookAtFill();
            return;
        }
        String job = JobProbe.state(jobManager.part().url(), directory.jobId());
        if (settings.isBounded() && job.equals("FINISHED")) {
            finish();
        } else if (settings.isBounded() && job.isEmpty() && isDrained()) {
            jobManager.stop();
            finish();
        } else if (job.equals("RUNNING") && !generator.isStarted()) {
            lookAtPartitions();
        } else if (job.equals("RUNNING")) {
            transition.noteReadingsFrom(plugin, broker, store);
            move(State.RUNNING, settings.isBounded() ? "the job drains the topic" : "the job runs");
        } else if (state == State.RUNNING) {
            move(
                    State.STARTING,
                    job.isEmpty()
                            ? "the JobManager does not answer"
                            : "the job is " + job.toLowerCase(java.util.Locale.ROOT));
        } else {
            publish();
        }
    }

    private void lookAtPartitions() {
        move(State.STARTING, "the generator waits until the job reads the new partitions");
        if (transition.jobReadsAllPartitions(jobManager.part().url())) {
            start(generator);
        }
    }

    private void lookAtFill() {
        String generatorState = Http.json(generator.part().url() + "/state")
                .map(answer -> answer.path("state").asText())
                .orElse("");
        if (generatorState.equals("complete")) {
            // A look before may have come as far as the first of them.
            List.of(jobManager, taskManager).stream()
                    .filter(keeper -> !keeper.isStarted())
                    .forEach(this::start);
            move(State.STARTING, "all readings are sent; the job starts");
        } else {
            publish();
        }
    }

    /**
     * Whether the job had ended before its JobManager died: its last window is in the store, and Flink drops the checkpoints
     * of a job only when all its sinks are through.
     */
    private boolean isDrained() {
        if (directory.hasCheckpoint()) {
            return false;
        }
        try (StoreClient client = ResultStores.named(settings.store()).connect(store.options())) {
            return client.completeTo() == Long.MAX_VALUE;
        } catch (EnvironmentException e) {
            return false;
        }
    }

    private void finish() {
        try {
            Files.writeString(finishedMark, "");
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + finishedMark + ": " + e.getMessage(), e);
        }
        taskManager.stop();
        move(State.FINISHED, "all readings are sent and all windows are closed");
    }

    private synchronized void move(State next, String sentence) {
        if (state != next || !message.equals(sentence)) {
            LOG.info("{}: {}", next.word(), sentence);
            if (state != next) {
                sinceMillis = System.currentTimeMillis();
            }
            state = next;
            message = sentence;
        }
        publish();
    }

    private synchronized void publish() {
        try {
            PropertiesFile.write(directory.endpointsFile(), view().toProperties());
        } catch (EnvironmentException e) {
            // A full disk must not end the supervision; the next look tries again.
            LOG.warn("the state could not be written: {}", e.getMessage());
        }
    }

    private synchronized StackState view() {
        Map<String, StackState.Part> parts = new LinkedHashMap<>();
        all().forEach(keeper -> parts.put(keeper.part().name(), keeper.view()));
        boolean over = state == State.STOPPED;
        parts.put(
                StackState.SUPERVISOR,
                new StackState.Part(
                        over ? 0 : ProcessHandle.current().pid(),
                        over ? "stopped" : "running",
                        0,
                        url,
                        url + "/metrics",
                        files.log(StackState.SUPERVISOR).toString()));
        String refused = all().stream()
                .filter(keeper -> keeper.view().state().equals(Keeper.REFUSED))
                .map(Keeper::problem)
                .findFirst()
                .orElse("");
        String problems = !refused.isEmpty()
                ? refused
                : all().stream()
                        .filter(keeper -> !keeper.problem().isEmpty())
                        .map(keeper -> keeper.part().name() + " does not start: " + keeper.problem())
                        .reduce(trouble.isEmpty() ? message : message + "; " + trouble, (a, b) -> a + "; " + b);
        return new StackState(
                state, problems, jobJarSha256, sinceMillis, parts, broker.address(), broker.options(), store.options());
    }

    /** Stops everything in reverse order; each stop is bounded. */
    private void stop() {
        if (!stopped.compareAndSet(false, true)) {
            return;
        }
        stopping.countDown();
        LOG.info("the stack stops");
        directory.stopping(true);
        List<Keeper> reverse = new ArrayList<>(all());
        Collections.reverse(reverse);
        for (Keeper keeper : reverse) {
            try {
                keeper.stop();
            } catch (RuntimeException e) {
                LOG.warn("{} did not stop in order", keeper.part().name(), e);
            }
        }
        http.close();
        move(State.STOPPED, "stopped");
        LOG.info("the stack is stopped");
    }
}
