package dev.millrace.connectors.generator;

import dev.millrace.core.audit.Ledger;
import dev.millrace.core.audit.LedgerFile;
import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.generate.Shape;
import dev.millrace.core.settings.UserException;
import org.jspecify.annotations.Nullable;

/**
 * Moves the schedule along: the shape's next second, a pause, another rate. Every segment is in the ledger before any
 * reading of it is due. What was scheduled is never changed. Used by the generator's thread alone.
 */
final class Pace {
    private static final long MICROS = 1_000_000;
    private static final long MAX_CATCH_UP_MICROS = GeneratorSettings.MAX_CATCH_UP_MILLIS * 1000L;

    private final Schedule schedule;
    private final LedgerFile file;
    private @Nullable Shape shape;
    private final boolean paced;
    private long second;
    private boolean paused;

    private Pace(Schedule schedule, LedgerFile file, @Nullable Shape shape) {
        this.schedule = schedule;
        this.file = file;
        this.shape = shape;
        this.paced = shape != null;
    }

    /** Begins the schedule of a new ledger. */
    static Pace begin(GeneratorOptions options, LedgerFile file, Schedule schedule, long nowMicros) {
        Pace pace = new Pace(schedule, file, options.shape());
        long start = options.startMillis() >= 0 ? options.startMillis() * 1000 : nowMicros / 1000 * 1000;
        long rate =
                options.shape() == null ? options.eventRate() : options.shape().rateAt(0);
        Schedule.Segment first = new Schedule.Segment(0, start, rate);
        schedule.append(first);
        file.append(first);
        return pace;
    }

    /**
     * Goes on with the schedule of a ledger.
     *
     * @param next the first reading that was never handed to a client
     */
    static Pace goOn(GeneratorOptions options, LedgerFile file, Ledger ledger, Schedule schedule, long next, long now) {
        long start = schedule.startMicros();
        if (options.startMillis() >= 0 && options.startMillis() * 1000 != start) {
            throw new UserException("the ledger in " + options.directory() + " begins at " + start / 1000
                    + ", 'start' is " + options.startMillis()
                    + "; take the data down first, name another directory or leave 'start' out");
        }
        Pace pace = new Pace(schedule, file, options.shape());
        pace.paused = ledger.state() == Ledger.State.PAUSED;
        if (!pace.paced) {
            return pace;
        }
        Schedule.Segment last = schedule.last();
        pace.second = Math.max(0, (last.firstTimeMicros() - start) / MICROS);
        // It lived when it laid its last segment, and may have died before it wrote that it did.
        long alive = Math.max(ledger.writtenMillis() * 1000, last.firstTimeMicros());
        if (ledger.state() == Ledger.State.RUNNING) {
            if (options.shape().kind() == Shape.Kind.CONSTANT && last.readingsPerSecond() > 0) {
                // It may have been told another rate; a crash does not take that back.
                pace.shape = Shape.constant(last.readingsPerSecond());
            }
            if (now - alive > MAX_CATCH_UP_MICROS) {
                pace.skip(alive, now, next);
            }
        }
        if (pace.paused) {
            // It may have died before it laid the pause.
            pace.stop(Math.min(now, alive), next);
        } else if (schedule.last().readingsPerSecond() == 0) {
            pace.second = Math.max(0, (now - start) / MICROS);
            pace.change(now, pace.wanted(), next);
        }
        return pace;
    }

    boolean isPaused() {
        return paused;
    }

    /** Whether readings wait for their time; if not, all are due at once and only event time follows the schedule. */
    boolean isPaced() {
        return paced;
    }

    /**
     * Lays the segments of the seconds that have begun. Must be called before asking what is due at {@code now}.
     *
     * @param next the first reading that was not offered yet, here and below: what was keeps its time, whatever the clock says
     */
    void advanceTo(long now, long next) {
        if (!paced || shape.kind() == Shape.Kind.CONSTANT) {
            return;
        }
        long current = (now - schedule.startMicros()) / MICROS;
        while (second < current) {
            second++;
            if (!paused && schedule.last().readingsPerSecond() != wanted()) {
                change(schedule.startMicros() + second * MICROS, wanted(), next);
            }
        }
    }

    void pause(boolean pause, long now, long next) {
        if (pause != paused) {
            paused = pause;
            if (paced) {
                change(now, pause ? 0 : wanted(), next);
            }
        }
    }

    /** Lays a pause from {@code from} to {@code now}: nobody wants the load of that time. What was due before still is. */
    void skip(long from, long now, long next) {
        stop(from, next);
        second = Math.max(second, (now - schedule.startMicros()) / MICROS);
        if (!paused) {
            change(now, wanted(), next);
        }
    }

    /** One rate from now on, instead of the shape. */
    void rate(long readingsPerSecond, long now, long next) {
        if (!paced) {
            throw new UserException("a generator with rate=max has no rate to change: it sends as fast as it can");
        }
        shape = Shape.constant(readingsPerSecond);
        if (!paused) {
            change(now, readingsPerSecond, next);
        }
    }

    /** Ends the schedule so that the time until the next start is a pause. */
    void stop(long now, long next) {
        if (paced && !schedule.isEmpty() && schedule.last().readingsPerSecond() != 0) {
            change(now, 0, next);
        }
    }

    /** Readings per second that are meant now; -1: as many as the broker takes. */
    long target() {
        return paced ? schedule.last().readingsPerSecond() : -1;
    }

    private long wanted() {
        return shape.rateAt(second);
    }

    private void change(long atMicros, long rate, long next) {
        // A start in the future, or a clock that was set back: the schedule goes on, never back.
        long from = Math.max(atMicros, schedule.last().firstTimeMicros());
        if (next > 0) {
            from = Math.max(from, schedule.timeMicros(next - 1) + 1);
        }
        file.append(schedule.change(from, rate));
    }
}
