package dev.millrace.perf.run.exercise;

import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which part limits a drain, as far as that can be told. Where parts share processors that are all busy it cannot: each may be
 * slow only because another one runs.
 *
 * @param vertices of the job, sources first
 * @param processes of the stack
 * @param machineBusyShare of all processors' time, whoever used it, a hypervisor for its other guests too, 0 to 1; NaN when it is
 *     not known
 * @param processors of the machine
 */
record Bottleneck(List<VertexTimes.Share> vertices, List<Part> processes, double machineBusyShare, int processors) {
    /** From here on a processor has no time left that a part would not have to wait for. */
    private static final double SATURATED = 0.9;

    private static final double MOST_OF_THE_TIME = 0.5;
    private static final double NEARLY_ALWAYS = 0.8;
    private static final double WORTH_SAYING = 0.005;

    /**
     * A process.
     *
     * @param cores used
     * @param allowed the processors that it may run on; empty when that is not known
     */
    record Part(String name, double cores, BitSet allowed) {
        boolean isSaturated() {
            return !allowed.isEmpty() && cores >= SATURATED * allowed.cardinality();
        }
    }

    /** The verdict, and what it is made of. */
    String sentence() {
        return "bottleneck of the drain: " + verdict() + " (" + evidence() + ")";
    }

    private String verdict() {
        if (isShared() && machineBusyShare >= SATURATED) {
            return "shared cores, not separable";
        }
        Optional<Part> saturated = isShared()
                ? Optional.empty()
                : processes.stream()
                        .filter(Part::isSaturated)
                        .max(Comparator.comparingDouble(
                                part -> part.cores() / part.allowed().cardinality()));
        if (saturated.isPresent()) {
            Part part = saturated.get();
            return String.format(
                    Locale.ROOT,
                    "the %s, which used %.2f of its %d processors",
                    part.name(),
                    part.cores(),
                    part.allowed().cardinality());
        }
        Optional<VertexTimes.Share> waiting = vertices.stream()
                .filter(vertex -> vertex.isSource() && vertex.idle() >= MOST_OF_THE_TIME)
                .findFirst();
        if (waiting.isPresent()) {
            return String.format(
                    Locale.ROOT,
                    "the broker or the network, which deliver less than the job takes: its source waited %.0f %% of the"
                            + " time",
                    waiting.get().idle() * 100);
        }
        return vertices.stream()
                .max(Comparator.comparingDouble(VertexTimes.Share::busy))
                .filter(vertex -> vertex.busy() >= NEARLY_ALWAYS)
                .map(vertex -> String.format(
                        Locale.ROOT, "the job's '%s', busy %.0f %% of the time", vertex.vertex(), vertex.busy() * 100))
                .orElse("not seen, as no part was busy nearly all the time");
    }

    /** Whether any two processes may run on the same processor; where that is not known they may. */
    private boolean isShared() {
        BitSet taken = new BitSet();
        for (Part process : processes) {
            if (process.allowed().isEmpty() || process.allowed().intersects(taken)) {
                return true;
            }
            taken.or(process.allowed());
        }
        return false;
    }

    private String evidence() {
        String times = vertices.stream()
                .map(vertex -> String.format(
                        Locale.ROOT,
                        "'%s' busy %.0f %%, back-pressured %.0f %%, idle %.0f %%",
                        vertex.vertex(),
                        vertex.busy() * 100,
                        vertex.backPressured() * 100,
                        vertex.idle() * 100))
                .collect(Collectors.joining("; "));
        String cores = processes.stream()
                .filter(process -> process.cores() >= WORTH_SAYING)
                .map(process -> String.format(Locale.ROOT, "%s %.2f", process.name(), process.cores()))
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "%s; cores used: %s of %d; %s",
                times.isEmpty() ? "times of the job's tasks are not known" : times,
                cores,
                processors,
                Double.isNaN(machineBusyShare)
                        ? "how busy the machine was is not known"
                        : String.format(
                                Locale.ROOT, "the machine was busy %.0f %% of the time", machineBusyShare * 100));
    }
}
