package dev.millrace.perf.run.exercise;

import java.util.List;
import java.util.stream.Stream;

/**
 * What one arrangement of a fan-out was seen to do.
 *
 * @param seconds between the two looks that figures are of
 * @param accepted readings that the broker took meanwhile from the generator; NaN when it is not known
 * @param payloadBytes of each reading
 * @param groups all of them, in their order; the slow one is the last
 * @param brokerCpuSeconds meanwhile; NaN when it is not known
 * @param readerCpuSeconds of the process in which all groups read; NaN when it is not known
 * @param copierCpuSeconds of the process that copied; 0 when there was none, NaN when it is not known
 * @param writtenBytes that the broker caused to be written; NaN when it is not known
 * @param storedBytes by which the broker's data folder grew; NaN when it is not known
 * @param idleShare of the machine's processors, 0 to 1
 * @param reasons why what was measured does not count, a sentence each
 */
record FanOutStep(
        FanOutArrangement arrangement,
        double seconds,
        double accepted,
        long payloadBytes,
        List<Group> groups,
        double brokerCpuSeconds,
        double readerCpuSeconds,
        double copierCpuSeconds,
        double writtenBytes,
        double storedBytes,
        double idleShare,
        List<String> reasons) {

    /**
     * One reader group, between the looks.
     *
     * @param lag readings that it had not confirmed at the end, as the broker counts
     * @param p50Millis intended send time to decoded
     * @param commits positions reported
     * @param commitP50Millis how long that kept the reader
     */
    record Group(long readings, long lag, double p50Millis, double p99Millis, long commits, double commitP50Millis) {}

    /** Those that may read everything. */
    List<Group> fast() {
        return groups.subList(0, groups.size() - (arrangement.hasSlowGroup() ? 1 : 0));
    }

    Group slow() {
        return groups.get(groups.size() - 1);
    }

    double delivered() {
        return groups.stream().mapToDouble(Group::readings).sum();
    }

    double acceptedPerSecond() {
        return accepted / seconds;
    }

    double deliveredPerSecond() {
        return delivered() / seconds;
    }

    /** Of the fast group that got least. */
    double leastPerSecond() {
        return fast().stream().mapToDouble(Group::readings).min().orElse(Double.NaN) / seconds;
    }

    /** Of the fast group whose p99 is the greatest. */
    double p99Millis() {
        return fast().stream().mapToDouble(Group::p99Millis).max().orElse(Double.NaN);
    }

    /** Of the group whose commits took longest. */
    double commitP50Millis() {
        return groups.stream().mapToDouble(Group::commitP50Millis).max().orElse(Double.NaN);
    }

    double commitsPerSecond() {
        return groups.stream().mapToDouble(Group::commits).sum() / seconds;
    }

    /** Of the fast group with the greatest. */
    double lag() {
        return fast().stream().mapToDouble(Group::lag).max().orElse(Double.NaN);
    }

    double brokerCpuPerMillion() {
        return brokerCpuSeconds / delivered() * 1e6;
    }

    double readerCpuPerMillion() {
        return readerCpuSeconds / delivered() * 1e6;
    }

    double copierCpuPerMillion() {
        return copierCpuSeconds / delivered() * 1e6;
    }

    /** Broker, readers and copier. */
    double cpuPerMillion() {
        return Stream.of(brokerCpuSeconds, readerCpuSeconds, copierCpuSeconds)
                        .mapToDouble(Double::doubleValue)
                        .sum()
                / delivered()
                * 1e6;
    }

    double writtenPerPayloadByte() {
        return writtenBytes / (accepted * payloadBytes);
    }

    double storedPerPayloadByte() {
        return storedBytes / (accepted * payloadBytes);
    }
}
