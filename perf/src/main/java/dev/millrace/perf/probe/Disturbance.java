package dev.millrace.perf.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Whether the machine was there in full while something was measured: otherwise a figure is of its neighbours, or of its disk. */
public final class Disturbance {
    /** Share of the processors' time that others may take, where no scenario says another. */
    public static final double MOST_STOLEN = 0.02;

    private Disturbance() {}

    /**
     * What the machine did beside, a sentence each; empty when it was there in full. A figure that is not known is one.
     *
     * @param when begins the sentences, as {@code "in the drain "}
     * @param stolenShare of the processors' time, 0 to 1
     * @param mostStolen so much of it is allowed
     */
    public static List<String> sentences(String when, double stolenShare, double swappedPages, double mostStolen) {
        List<String> sentences = new ArrayList<>();
        if (!(stolenShare <= mostStolen)) {
            sentences.add(String.format(
                    Locale.ROOT,
                    "%sthe hypervisor, or a quota, took %.1f %% of the processors' time; at most %.1f %% are allowed",
                    when,
                    stolenShare * 100,
                    mostStolen * 100));
        }
        if (!(swappedPages == 0)) {
            sentences.add(String.format(
                    Locale.ROOT, "%sthe machine swapped %.0f pages; it must not swap", when, swappedPages));
        }
        return sentences;
    }

    /** As {@link #sentences(String, double, double, double)}, with {@link #MOST_STOLEN}; none where the machine was not looked at. */
    public static List<String> sentences(String when, MachineUse use) {
        return use.isKnown() ? sentences(when, use.stolenShare(), use.swappedPages(), MOST_STOLEN) : List.of();
    }
}
