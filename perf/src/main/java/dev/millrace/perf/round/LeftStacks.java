package dev.millrace.perf.round;

import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.RunDirectories;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.lifecycle.StackStopper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Stacks, and servers without one, that a benchmark left where it measures: it was killed, or could not take them down. Their load would be
 * measured as well. Each has a folder of the benchmark's for a mark, for a person may have stacks in the same place.
 */
public final class LeftStacks {
    private static final String PUBLISH = "publish";
    private static final String SERVER = "broker";
    private static final String PID_FILE = ".pid";
    /** Broker, {@link #PUBLISH}, {@link #SERVER}, file. */
    private static final int PID_FILE_DEPTH = 4;

    private static final Duration STOP_BOUND = Duration.ofSeconds(30);

    private LeftStacks() {}

    /** Says that the stack that is brought up there next is a benchmark's. The mark goes with the stack's data. */
    public static void mark(RunDirectory directory) {
        try {
            Files.createDirectories(directory.benchmarkFolder());
        } catch (IOException e) {
            throw new EnvironmentException("cannot write into " + directory.path() + ": " + e.getMessage(), e);
        }
    }

    /** One that is being deleted may have lost it, and is to go anyway. */
    private static boolean isMarked(RunDirectory directory) {
        return Files.exists(directory.benchmarkFolder()) || Files.exists(directory.deletingMark());
    }

    /** Throws UserException when a stack that no benchmark made is where benchmarks have theirs. */
    public static void refuseOthers(Path base) {
        List<String> others = RunDirectories.all(base).stream()
                .filter(directory -> !isMarked(directory))
                .map(RunDirectory::broker)
                .toList();
        if (!others.isEmpty()) {
            throw new UserException(
                    "a stack of " + String.join(" and of ", others) + " that no benchmark made is in " + base
                            + ", and a benchmark would remove it; name another folder with --run-dir, or take it down with its data:"
                            + " millrace down --broker " + others.get(0) + " --run-dir " + base);
        }
    }

    /**
     * Takes the stacks down, with their data, and stops the servers. For who is alone with benchmarks there.
     *
     * @param base where benchmarks have their stacks
     * @param progress takes a line for each
     */
    public static void remove(Path base, Consumer<String> progress) {
        refuseOthers(base);
        for (RunDirectory left : RunDirectories.all(base)) {
            progress.accept("taking down a stack of " + left.broker() + " that was left in " + left.path());
            new StackStopper(left).down(false);
        }
        pidFiles(base).forEach(pidFile -> stopServer(pidFile, progress));
    }

    /** Where a broker is measured without a stack. */
    public static Path alone(Path base, String broker) {
        return base.resolve(broker).resolve(PUBLISH);
    }

    /** The folder of its server. */
    public static Path server(Path alone) {
        return alone.resolve(SERVER);
    }

    private static List<Path> pidFiles(Path base) {
        if (!Files.isDirectory(base)) {
            return List.of();
        }
        try (Stream<Path> found = Files.find(base, PID_FILE_DEPTH, (path, attributes) -> isOfServer(base, path))) {
            return found.toList();
        } catch (IOException | UncheckedIOException e) {
            throw new EnvironmentException("cannot look through " + base + ": " + e.getMessage(), e);
        }
    }

    private static boolean isOfServer(Path base, Path path) {
        Path below = base.relativize(path);
        return below.getNameCount() == PID_FILE_DEPTH
                && path.getParent().equals(server(alone(base, below.getName(0).toString())))
                && path.toString().endsWith(PID_FILE);
    }

    private static void stopServer(Path pidFile, Consumer<String> progress) {
        String name = pidFile.getFileName().toString();
        ServerProcess.running(name.substring(0, name.length() - PID_FILE.length()), pidFile.getParent())
                .ifPresent(left -> {
                    progress.accept("stopping a server that was left in " + pidFile.getParent());
                    left.stop(STOP_BOUND);
                });
    }
}
