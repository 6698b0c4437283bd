package dev.millrace.perf.baselines;

import dev.millrace.core.reading.Reading;
import dev.millrace.core.window.Accumulator;
import org.apache.flink.api.common.functions.AggregateFunction;

/**
 * Flink's incremental aggregate over what a job takes readings for: the values are the product's, so that rows can be audited.
 *
 * @param <T> a reading as it comes to the window
 */
abstract class Aggregate<T> implements AggregateFunction<T, Accumulator, Accumulator> {
    private static final long serialVersionUID = 1;

    private transient Reading reading;

    /** Fills in all that windows are made of. */
    abstract void fill(T from, Reading reading);

    @Override
    public final Accumulator createAccumulator() {
        return new Accumulator();
    }

    @Override
    public final Accumulator add(T from, Accumulator accumulator) {
        if (reading == null) {
            reading = new Reading();
        }
        fill(from, reading);
        accumulator.add(reading);
        return accumulator;
    }

    @Override
    public final Accumulator getResult(Accumulator accumulator) {
        return accumulator;
    }

    @Override
    public final Accumulator merge(Accumulator one, Accumulator other) {
        one.merge(other);
        return one;
    }
}
