package dev.millrace.deploy.sizing;

/**
 * What was measured of one broker's stack, and where: an entry of {@link SizingFile}.
 *
 * @param broker that the stack was on
 * @param version of its server
 * @param readingsPerSecondPerCore by who uses the core
 */
public record MeasuredRates(
        String broker, String version, Origin measured, Load load, PerCore readingsPerSecondPerCore) {

    /**
     * From which result, of which machine and build.
     *
     * @param date ISO 8601
     * @param result the benchmark's id, which is the name of its folder
     * @param runs VALID ones; the rates are their medians
     */
    public record Origin(
            String date,
            String result,
            String scenario,
            int runs,
            String commit,
            String cpu,
            int cores,
            String memory,
            String os,
            String java) {
        /** For a sentence. */
        public String machine() {
            return cores + " cores of " + cpu + ", " + memory + ", " + os;
        }
    }

    /**
     * Under which load. Rates hold for the same payload, and for as many readings of a device in a window.
     *
     * @param replicas of the topic
     */
    public record Load(
            long readingsPerSecond,
            long devices,
            int payloadBytes,
            String compression,
            int replicas,
            int partitions,
            int parallelism,
            String window,
            String stateBackend) {}

    /**
     * Readings per CPU second, in a second and on one core.
     *
     * @param generator that makes and sends them
     * @param broker that takes them, keeps them once and hands them to the job
     * @param job that reads, decodes and aggregates them
     */
    public record PerCore(long generator, long broker, long job) {}
}
