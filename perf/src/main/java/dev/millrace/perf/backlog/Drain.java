package dev.millrace.perf.backlog;

import dev.millrace.perf.probe.MachineUse;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * What one drain gave.
 *
 * @param variant {@link Variant#word()}, or {@link #STACK}
 * @param round from 1; 0 for the whole stack
 * @param readingsPerSecond over the middle 80 % of readings; NaN when it was over too soon to say
 * @param secondsToLastRow from the first reading that was taken to the end, when all rows are in the store; NaN where none are by then
 * @param jobCpuSecondsPerMillion CPU seconds of the consuming process per million readings (the whole stack's: of its
 *     TaskManager, start included)
 * @param brokerCpuSecondsPerMillion CPU seconds of the broker's process during the drain per million readings; NaN where it is
 *     a person's own, and not looked at
 * @param storeCpuSecondsPerMillion of the store's process likewise; NaN where there is none, or it gets its rows later
 * @param allocatedBytesPerReading what threads of the consuming process allocated; NaN where nobody looked
 * @param compileSeconds how long its just-in-time compilers worked during the drain: little, when it was warm; NaN where
 *     nobody looked
 * @param machine what the machine counted meanwhile
 * @param warmUpPasses unmeasured passes that its process made just before; 0 when it was warm already
 * @param warmUpReadings how many readings these took in
 */
record Drain(
        String broker,
        String variant,
        int round,
        long readings,
        double readingsPerSecond,
        double secondsToLastRow,
        double jobCpuSecondsPerMillion,
        double brokerCpuSecondsPerMillion,
        double storeCpuSecondsPerMillion,
        double allocatedBytesPerReading,
        double compileSeconds,
        MachineUse machine,
        int warmUpPasses,
        long warmUpReadings,
        Verdict audit) {

    /** The variant of the stack that filled the topic and drained it first: its own processes, not warm. */
    static final String STACK = "stack";

    /** What was held against the generator's ledger. */
    enum Verdict {
        /** Every row, bit for bit. */
        EQUAL,
        /** It makes no rows, and counted every reading once. */
        COUNTED,
        DIFFERENT;

        String word() {
            return this == DIFFERENT ? name() : name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether it holds what was sent; one that does not has figures of something else. */
    boolean counts() {
        return audit != Verdict.DIFFERENT;
    }

    /** CPU seconds of a process per million readings; NaN where one of the looks saw no process. */
    static double cpuPerMillion(Optional<Duration> before, Optional<Duration> after, long readings) {
        return before.isPresent() && after.isPresent()
                ? after.get().minus(before.get()).toNanos() / 1e9 / (readings / 1e6)
                : Double.NaN;
    }

    /** The same of nanoseconds; NaN without a pid: of no process nothing is used, and nothing known. */
    static double cpuPerMillion(long pid, long nanos, long readings) {
        return pid > 0 ? nanos / 1e9 / (readings / 1e6) : Double.NaN;
    }

    Drain with(Verdict verdict) {
        return new Drain(
                broker,
                variant,
                round,
                readings,
                readingsPerSecond,
                secondsToLastRow,
                jobCpuSecondsPerMillion,
                brokerCpuSecondsPerMillion,
                storeCpuSecondsPerMillion,
                allocatedBytesPerReading,
                compileSeconds,
                machine,
                warmUpPasses,
                warmUpReadings,
                verdict);
    }

    String sentence() {
        String rate = Double.isNaN(readingsPerSecond)
                ? "over too soon for a rate"
                : String.format(Locale.ROOT, "%,.0f readings/s", readingsPerSecond);
        String last = Double.isNaN(secondsToLastRow)
                ? ""
                : String.format(Locale.ROOT, ", the last row after %.1f s", secondsToLastRow);
        return String.format(Locale.ROOT, "%s, all %,d through%s, audit %s", rate, readings, last, audit.word());
    }
}
