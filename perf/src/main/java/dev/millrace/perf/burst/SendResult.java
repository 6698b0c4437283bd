package dev.millrace.perf.burst;

/**
 * What the sends of one arrangement took.
 *
 * @param rows that were to be sent
 * @param acknowledged within the limit
 * @param expired not acknowledged within the limit
 * @param refused that the broker did not take
 * @param notStarted rows whose thread the machine did not give
 * @param millis from the first send to the last answer
 * @param sendMillisMax the longest send, from its begin to its acknowledgement
 * @param threadsMax the most threads that sent at once, beside those that the client has for itself
 * @param clientCpuMillis of the process that sends
 */
public record SendResult(
        long rows,
        long acknowledged,
        long expired,
        long refused,
        long notStarted,
        double millis,
        double sendMillisMax,
        int threadsMax,
        double clientCpuMillis) {

    public double rowsPerSecond() {
        return acknowledged * 1000.0 / Math.max(1, millis);
    }
}
