package dev.millrace.perf.run.stage;

import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.look.BenchmarkNote;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Says what a run does now: in its samples, and to whoever looks at its stack. Used by the run's thread. */
public final class Phases {
    /** Their names, in samples and on the screen. */
    public static final String WARM_UP = "warm-up";

    public static final String SEARCH = "search";
    public static final String MEASURE = "measure";
    public static final String SETTLE = "settle";

    private final RunDirectory directory;
    private final Turn turn;
    private final Sampler sampler;

    public Phases(RunDirectory directory, Turn turn, Sampler sampler) {
        this.directory = directory;
        this.turn = turn;
        this.sampler = sampler;
    }

    /** From now on samples are of that phase; how long it takes is not known. */
    public void begin(String name) {
        sampler.phase(name);
        tell(name, null);
    }

    /** Who looks is told how long it takes; samples stay of the phase that they are of. */
    public void lasts(String name, Duration length) {
        tell(name, length);
    }

    private void tell(String name, @Nullable Duration length) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        new BenchmarkNote(
                        turn.run(),
                        turn.runs(),
                        directory.broker(),
                        name,
                        now,
                        length == null ? null : now.plus(length),
                        turn.ends())
                .leaveIn(directory);
    }
}
