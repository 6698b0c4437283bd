package dev.millrace.perf.run.stage;

import dev.millrace.perf.result.Run;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Which of a benchmark's runs one is.
 *
 * @param id begins the names of its files
 * @param broker its subject
 * @param block as {@link Run#block()}
 * @param run from 1
 * @param most readings per second above which the rig itself may be what is measured; empty when that is not known
 * @param ends when all runs are expected to be made; null while that is not known
 */
public record Turn(String id, String broker, int block, int run, int runs, OptionalLong most, @Nullable Instant ends) {
    /** Why a run is INVALID that a person ended. */
    public static final String INTERRUPTED = "interrupted";

    /** Whether it shows what the rig itself takes, and is compared with nothing. */
    public boolean isFloor() {
        return block == 0;
    }

    /** The run, when nothing of it was measured. */
    public Run unmeasured(String started, String reason) {
        return Run.unmeasured(id, broker, block, started, reason);
    }

    /** The run, when a person ended it before anything was measured. */
    public Run interrupted() {
        return unmeasured(Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(), INTERRUPTED);
    }
}
