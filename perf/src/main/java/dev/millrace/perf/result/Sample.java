package dev.millrace.perf.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One second of a run, for curves only: no figure and no interval is made of these. What was not known then is null.
 *
 * @param second since the run's stack was up
 * @param phase the phase's name in the scenario
 * @param acceptedPerSecond by the broker
 * @param processedPerSecond by the job
 * @param lag readings in the broker that the job had not read
 * @param latenessMillis how far the generator was behind its schedule
 * @param sendP99Millis intended send time to accepted, of this second's readings
 * @param cores used by each process, by the process's name
 * @param residentMiB of each process's memory, by the process's name, of those where it is known
 */
public record Sample(
        int second,
        String phase,
        @Nullable Double acceptedPerSecond,
        @Nullable Double processedPerSecond,
        @Nullable Long lag,
        @Nullable Long latenessMillis,
        @Nullable Double sendP99Millis,
        Map<String, Double> cores,
        Map<String, Double> residentMiB) {

    /** The same, of another phase. */
    public Sample in(String otherPhase) {
        return new Sample(
                second,
                otherPhase,
                acceptedPerSecond,
                processedPerSecond,
                lag,
                latenessMillis,
                sendP99Millis,
                cores,
                residentMiB);
    }
}
