package dev.millrace.perf.round;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.RunDirectories;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.lifecycle.StackStopper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Stacks that a benchmark left where it measures: it was killed, or could not take them down. Their load would be measured as well. Each
 * has a folder of the benchmark's for a mark, for a person may have stacks in the same place.
 */
public final class LeftStacks {
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
     * Takes them down, with their data. For who is alone with benchmarks there.
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
    }
}
