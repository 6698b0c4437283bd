package dev.millrace.deploy.local.part;

import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.Folders;
import dev.millrace.deploy.local.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A process that the supervisor starts by a command line; its raw output goes beside its pid file. */
public final class ProcessPart implements Part {
    private static final Duration STOP_BOUND = Duration.ofSeconds(15);
    private static final long RAW_OUTPUT_BYTES_MAX = 1 << 20;
    /** Every process of ours ends so when its settings are wrong, with the sentence as its last line. */
    private static final int USER_ERROR = 2;

    private final String name;
    private final Path folder;
    private final Path log;
    private final Supplier<ProcessLaunch> prepare;
    private final LaunchMark mark;
    private final Runnable beforeReplaced;
    private final List<Path> scratch;
    private ProcessLaunch launch = new ProcessLaunch(List.of(), "", "", "");
    private Optional<ServerProcess> process = Optional.empty();

    /**
     * @param prepare writes the process's settings and gives its command line; called before every start
     * @param beforeReplaced what must happen before a living process is stopped because another is wanted
     * @param scratch folders of what is of use to the process that made it alone: one that is killed leaves it behind
     */
    public ProcessPart(
            String name,
            RunDirectory directory,
            Path log,
            Supplier<ProcessLaunch> prepare,
            Consumer<Part> beforeReplaced,
            List<Path> scratch) {
        this.name = name;
        this.folder = directory.supervisorFolder();
        this.mark = LaunchMark.of(directory, name);
        this.beforeReplaced = () -> beforeReplaced.accept(this);
        this.log = log;
        this.prepare = prepare;
        this.scratch = scratch;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public synchronized void start() {
        Optional<ServerProcess> alive = ServerProcess.running(name, folder);
        launch = prepare.get();
        if (alive.isPresent() && mark.differs(launch.all())) {
            beforeReplaced.run();
            alive.get().stop(STOP_BOUND);
            alive = Optional.empty();
        }
        if (alive.isEmpty()) {
            boundRawOutput();
            scratch.forEach(ProcessPart::empty);
            mark.write(launch.all());
        }
        process = Optional.of(alive.orElseGet(() -> ServerProcess.start(name, folder, launch.command(), Map.of())));
    }

    private static void empty(Path folder) {
        try {
            Folders.delete(folder);
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new EnvironmentException("cannot delete what an earlier process left in " + folder + ": " + e, e);
        }
    }

    private void boundRawOutput() {
        Path raw = folder.resolve(name + ".log");
        try {
            if (Files.isRegularFile(raw) && Files.size(raw) > RAW_OUTPUT_BYTES_MAX) {
                Files.delete(raw);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot shorten " + raw + ": " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized boolean isAlive() {
        return process.map(ServerProcess::isAlive).orElse(false);
    }

    @Override
    public synchronized Optional<String> refusal() {
        return process.filter(ended -> ended.exitCode().orElse(0) == USER_ERROR).map(ended -> ended.logTail(1));
    }

    @Override
    public synchronized Optional<String> ending() {
        return process.flatMap(ServerProcess::ending);
    }

    @Override
    public synchronized long pid() {
        return process.filter(ServerProcess::isAlive).map(ServerProcess::pid).orElse(0L);
    }

    @Override
    public synchronized void kill() {
        process.or(() -> ServerProcess.running(name, folder)).ifPresent(ServerProcess::kill);
    }

    @Override
    public synchronized void stop() {
        process.or(() -> ServerProcess.running(name, folder)).ifPresent(running -> running.stop(STOP_BOUND));
        process = Optional.empty();
    }

    @Override
    public synchronized String url() {
        return launch.url();
    }

    @Override
    public synchronized String metricsUrl() {
        return launch.metricsUrl();
    }

    @Override
    public String log() {
        return log.toString();
    }
}
