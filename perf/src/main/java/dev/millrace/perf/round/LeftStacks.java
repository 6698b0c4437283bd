package dev.millrace.perf.round;

import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.lifecycle.StackStopper;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Stacks that a benchmark left where it measures: it was killed, or could not take them down. Their load would be measured as well. */
public final class LeftStacks {
    private LeftStacks() {}

    /**
     * Takes them down, with their data. For who is alone with benchmarks there.
     *
     * @param base where benchmarks have their stacks
     * @param progress takes a line for each
     */
    public static void remove(Path base, Consumer<String> progress) {
        for (RunDirectory left : RunDirectory.all(base)) {
            progress.accept("taking down a stack of " + left.broker() + " that was left in " + left.path());
            new StackStopper(left).down(false);
        }
    }
}
