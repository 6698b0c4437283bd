package dev.millrace.perf.run.stage;

import dev.millrace.core.audit.Ledger;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;

/**
 * Where a stack's event time stands when the clock stands somewhere. They are the same, unless event time passes {@code
 * acceleration} times as fast from {@code startMillis} on, epoch milliseconds.
 */
public record EventTime(long startMillis, double acceleration) {
    /** The clock's. */
    public static final EventTime CLOCK = new EventTime(0, 1);

    /** That of a stack whose generator has begun. */
    public static EventTime of(RunDirectory directory, StackSettings settings) {
        double acceleration = settings.acceleration();
        return acceleration == 1
                ? CLOCK
                : new EventTime(
                        Ledger.read(directory.generatorFolder()).schedule().startMicros() / 1000, acceleration);
    }

    /** When the clock stands so that event time is {@code eventMillis}, epoch milliseconds both. */
    public long clockMillis(long eventMillis) {
        return startMillis + Math.round((eventMillis - startMillis) / acceleration);
    }

    /** Event time when the clock is {@code clockMillis}, epoch milliseconds both. */
    public long eventMillis(long clockMillis) {
        return startMillis + Math.round((clockMillis - startMillis) * acceleration);
    }
}
