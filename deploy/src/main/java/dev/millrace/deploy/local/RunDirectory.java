package dev.millrace.deploy.local;

import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.process.ProcessLock;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that one stack keeps on this machine: {@code BASE/BROKER/}. The base is {@code .millrace} in the clone unless a
 * person moves it with {@code --run-dir}.
 */
public record RunDirectory(Path path) {
    private static final Logger LOG = LoggerFactory.getLogger(RunDirectory.class);

    /** The base when nobody named one. */
    public static Path defaultBase(Installation installation) {
        return installation.root().resolve(".millrace");
    }

    public static RunDirectory of(Path base, String broker) {
        return new RunDirectory(base.toAbsolutePath().normalize().resolve(broker));
    }

    /** The broker's name. */
    public String broker() {
        return path.getFileName().toString();
    }

    public Path brokerFolder() {
        return path.resolve("broker");
    }

    public Path storeFolder() {
        return path.resolve("store");
    }

    public Path flinkFolder() {
        return path.resolve("flink");
    }

    public Path checkpoints() {
        return path.resolve("checkpoints");
    }

    /** Whether the job could go on from a completed checkpoint. */
    public boolean hasCheckpoint() {
        if (!Files.isDirectory(checkpoints())) {
            return false;
        }
        try {
            return !Folders.files(checkpoints(), 3, file -> file.endsWith("_metadata"))
                    .isEmpty();
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + checkpoints() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Flink's id of the job of this stack: the same over restarts and by whatever links the run directory is reached, another for every
     * run directory.
     */
    public String jobId() {
        String name = Folders.real(path).toString();
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
    }

    /** With {@code ca.crt}, {@code tls.crt} and {@code tls.key} for whoever asks the stack's parts; only where they speak TLS. */
    public Path tls() {
        return path.resolve("tls");
    }

    public Path savepoints() {
        return path.resolve("savepoints");
    }

    /** The ledger's folder. */
    public Path generatorFolder() {
        return path.resolve("generator");
    }

    /** What the generator writes with {@code latency-log}. */
    public Path latencyLog() {
        return generatorFolder().resolve("latency.hlog");
    }

    public Path logs() {
        return path.resolve("logs");
    }

    /** Pid files and raw output of the processes that the supervisor starts, and its own. */
    public Path supervisorFolder() {
        return path.resolve("supervisor");
    }

    /** The effective settings. */
    public Path stackFile() {
        return path.resolve("stack.properties");
    }

    /** What the supervisor last wrote about its processes. */
    public Path endpointsFile() {
        return path.resolve("endpoints.properties");
    }

    /** The verdict of the newest audit; not there before the first. */
    public Path auditFile() {
        return path.resolve("audit.properties");
    }

    /** What a benchmark does with the stack; there only while one measures it. */
    public Path benchmarkFile() {
        return path.resolve("benchmark.properties");
    }

    /** Of the processes that a benchmark has beside the stack; there only where a benchmark made that. */
    public Path benchmarkFolder() {
        return path.resolve("benchmark");
    }

    /** Which topics the stack has made on a broker that is a person's own. */
    public Path topicsFile() {
        return path.resolve("topics.properties");
    }

    /** The settings that the stack was last started with; empty when there is none. */
    public Optional<StackSettings> settings() {
        return StackFile.read(stackFile()).map(StackFile::settings);
    }

    /** What the supervisor brings about, or has: {@link #stackFile} as it was when that supervisor began. */
    public Path runningFile() {
        return supervisorFolder().resolve("running.properties");
    }

    /** The stack before a change that is not complete: what to go back to. */
    public Path previousFile() {
        return path.resolve("previous.properties");
    }

    /** The job jar that the stack runs: its own copy, since a build may replace the original at any time. */
    public Path jobJar(StackFile stack, Installation installation) {
        Path own = stack.build().jobJarIn(buildFolder());
        return Files.isRegularFile(own) ? own : installation.jobJar();
    }

    /** The folder of the broker's plugin that the stack runs; as above. */
    public Path plugin(StackFile stack, Installation installation) {
        Path own = stack.build().pluginIn(buildFolder());
        return Files.isDirectory(own)
                ? own
                : installation.builtPlugin(stack.settings().broker());
    }

    /** Where the stack keeps what it runs. */
    public Path buildFolder() {
        return flinkFolder().resolve("jar");
    }

    private Path stoppingMark() {
        return supervisorFolder().resolve("stopping");
    }

    /** Says that the supervisor takes the stack down, whatever its endpoints say, or that a new one begins. */
    public void stopping(boolean stops) {
        try {
            if (stops) {
                Files.writeString(stoppingMark(), "");
            } else {
                Files.deleteIfExists(stoppingMark());
            }
        } catch (IOException e) {
            // A full disk keeps no stack from being stopped.
            LOG.warn("{} is not as it should be: {}", stoppingMark(), e.toString());
        }
    }

    /** Whether the supervisor takes the stack down, for a down that was ended meanwhile or because somebody ended it. */
    public boolean isStopping() {
        return Files.exists(stoppingMark()) && supervisor().isPresent();
    }

    /** How often the state was dropped, as far as that was carried out. */
    public Path stateNumberFile() {
        return supervisorFolder().resolve("state-number");
    }

    /** How many partitions the job is known to read. */
    public Path partitionsFile() {
        return supervisorFolder().resolve("partitions");
    }

    /** Written after state was dropped: see {@link #readingsFrom}. */
    public Path readingsFromFile() {
        return supervisorFolder().resolve("readings-from");
    }

    /**
     * Epoch milliseconds of event time: of what lies before, the broker had dropped some when the state was dropped and all
     * was read again. {@link Long#MIN_VALUE} when nothing is missing.
     */
    public long readingsFrom() {
        return NumberFile.read(readingsFromFile()).orElse(Long.MIN_VALUE);
    }

    /** What the supervisor last wrote; empty when it never wrote. */
    public Optional<StackState> state() {
        return PropertiesFile.read(endpointsFile()).map(StackState::of);
    }

    /** {@link #state} for whoever works on a stack that is up; EnvironmentException when that was taken down. */
    public StackState presentState() {
        return state().orElseThrow(this::gone);
    }

    /** {@link #settings} for whoever works on a stack that is up; EnvironmentException when that was taken down. */
    public StackSettings presentSettings() {
        return settings().orElseThrow(this::gone);
    }

    private EnvironmentException gone() {
        return new EnvironmentException("there is no stack in " + path + " any more: it was taken down in the middle");
    }

    /** One {@code up} or {@code down} at a time; UserException when there is another, or when this is a copy of a stack that runs. */
    public ProcessLock lock() {
        new PidFiles(this).requireOwn();
        return ProcessLock.take(
                lockFile(), "another millrace up or down is at work on " + path + "; wait for it to end");
    }

    /** There from the moment that data begin to be deleted until they are: what is left of them makes no stack. */
    public Path deletingMark() {
        return path.resolve("deleting");
    }

    public Path lockFile() {
        return path.resolve("lock");
    }

    /** Whether an entry of the run directory is of those that this tool makes there; all others are somebody else's. */
    public boolean isOwn(Path entry) {
        return own().anyMatch(own -> entry.equals(own) || entry.equals(PropertiesFile.draft(own)));
    }

    /** What this tool makes there. */
    Stream<Path> own() {
        return Stream.of(
                brokerFolder(),
                storeFolder(),
                flinkFolder(),
                checkpoints(),
                tls(),
                savepoints(),
                generatorFolder(),
                logs(),
                supervisorFolder(),
                benchmarkFolder(),
                stackFile(),
                endpointsFile(),
                auditFile(),
                benchmarkFile(),
                topicsFile(),
                previousFile(),
                deletingMark(),
                lockFile());
    }

    /** Names of what is in the run directory and is somebody else's, sorted. */
    public List<String> others() throws IOException {
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(path)) {
            // A disk that is mounted there has a folder for what it finds when it is checked.
            return entries.filter(entry -> !isOwn(entry) && !entry.endsWith("lost+found"))
                    .map(entry -> entry.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    /** The supervisor, when it is alive. */
    public Optional<ServerProcess> supervisor() {
        return ServerProcess.running("supervisor", supervisorFolder());
    }

    /** Whether any process of the stack is alive: its supervisor, or one that outlived it, or, as far as is known, one elsewhere. */
    public boolean isRunning() {
        return supervisor().isPresent() || !processes().isEmpty() || isElsewhere();
    }

    private boolean isElsewhere() {
        return state().filter(state -> state.part(StackState.SUPERVISOR).isKeptByOthers())
                .isPresent();
    }

    /** Whether a process that keeps its things below {@code folder} is alive. */
    public boolean runsBelow(Path folder) {
        return processes().stream().anyMatch(process -> process.log().startsWith(folder));
    }

    /** All living processes of the stack by their pid files, wherever below the run directory those are. */
    public List<ServerProcess> processes() {
        return new PidFiles(this).processes();
    }
}
