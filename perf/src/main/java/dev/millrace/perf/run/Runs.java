package dev.millrace.perf.run;

import dev.millrace.perf.result.Run;
import dev.millrace.perf.run.stage.Turn;

/** Makes the runs of one scenario, each on a new stack with new data, one after the other. Used by one thread, unless said otherwise. */
public interface Runs {
    /** One run. What goes wrong on the way makes it INVALID, with the sentence as its reason; the stack is gone when this returns. */
    Run run(Turn turn);

    /**
     * Whether a person's wish to end the process is somebody else's to follow now, such as a launcher's, and {@link #run} will not
     * return. Thread-safe.
     */
    boolean isStarting();
}
