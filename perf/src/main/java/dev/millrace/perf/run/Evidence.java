package dev.millrace.perf.run;

import dev.millrace.perf.probe.Disturbance;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.descriptive.Median;

/**
 * What the gates look at, of the measured phase.
 *
 * @param scheduled readings that were due
 * @param accepted readings that the broker took; -1 when it is not known
 * @param processed readings that the job decoded; -1 when it is not known
 * @param measuredSends sends whose latency is in the log
 * @param sendP99Millis of them, from the intended send time
 * @param latenessMillis how far the generator was behind at worst, at one look a second; NaN when no look saw it
 * @param lags readings that the job had not read, second by second, as far as they are known
 * @param ratePerSecond of the schedule
 * @param disturbance what others took of the machine
 * @param earlySends acknowledged before their intended time: a clock was set back
 * @param windowsVisible windows due in the phase whose rows were seen to become visible
 * @param rigCores that this process, which only looks, used itself
 * @param memoryPeakMiB of the whole stack in its control group, page cache included; NaN when the budget is not enforced
 * @param rowsCame whether all windows that were due were there within the bound
 */
record Evidence(
        double scheduled,
        double accepted,
        double processed,
        double measuredSends,
        double sendP99Millis,
        double latenessMillis,
        List<Long> lags,
        double ratePerSecond,
        Disturbance disturbance,
        double earlySends,
        double windowsVisible,
        double rigCores,
        double memoryPeakMiB,
        boolean rowsCame) {

    /** Known exactly when the budget was enforced. */
    static final String MEMORY_PEAK = "memoryPeakMiB";

    /** Accepted of scheduled. */
    static final String RATE_SHARE = "rateShare";

    /** Accepted of scheduled; NaN when it is not known. */
    double rateShare() {
        return accepted < 0 ? Double.NaN : accepted / scheduled;
    }

    /** Whether at least every second look saw how the stack went: without looks lag and lateness would be kept by nobody. */
    boolean wasSeen() {
        return !Double.isNaN(latenessMillis) && 2 * lags.size() * ratePerSecond >= scheduled - ratePerSecond;
    }

    /**
     * By how much the lag of the last third of the phase is above that of the first, both by their medians, in readings: a trend
     * counts, one bad second does not. 0 when fewer than three looks saw it.
     */
    double lagGrowth() {
        int third = lags.size() / 3;
        return third == 0 ? 0 : median(lags.subList(lags.size() - third, lags.size())) - median(lags.subList(0, third));
    }

    private static double median(List<Long> values) {
        return Median.withDefaults()
                .evaluate(values.stream().mapToDouble(Long::doubleValue).toArray());
    }

    /** By name, for the report. */
    Map<String, Double> asMap() {
        Map<String, Double> map = new LinkedHashMap<>();
        map.put("scheduledReadings", scheduled);
        map.put("acceptedReadings", accepted);
        map.put("processedReadings", processed);
        map.put("measuredSends", measuredSends);
        map.put("sendP99Millis", sendP99Millis);
        map.put(RATE_SHARE, rateShare());
        map.put("latenessMillis", latenessMillis);
        map.put("lagGrowthReadings", lagGrowth());
        map.put("stolenShare", disturbance.stolenShare());
        map.put("neighbourShare", disturbance.neighbourShare());
        map.put("swappedPages", disturbance.swappedPages());
        map.put("earlySends", earlySends);
        map.put("windowsVisible", windowsVisible);
        map.put("rigCores", rigCores);
        map.put(MEMORY_PEAK, memoryPeakMiB);
        return map;
    }
}
