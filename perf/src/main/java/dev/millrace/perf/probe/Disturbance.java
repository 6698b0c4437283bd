package dev.millrace.perf.probe;

import dev.millrace.perf.statistics.Digits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What was taken of the machine while something was measured: a figure is of its neighbours then, or of its disk.
 *
 * <p>Each is NaN when it is not known.
 *
 * @param stolenShare of the processors' time, 0 to 1, by the hypervisor or a quota
 * @param neighbourShare the same, by processes that are not of the measurement
 * @param swappedPages by the whole machine
 */
public record Disturbance(double stolenShare, double neighbourShare, double swappedPages) {
    /** Share of the processors' time that a hypervisor may take, where no scenario says another. */
    public static final double MOST_STOLEN = 0.02;

    /** The same of other processes: more, since two clocks tell it that differ by some hundredths. */
    public static final double MOST_OF_NEIGHBOURS = 0.05;

    public static Disturbance of(MachineUse use) {
        return new Disturbance(
                use.stolenShare(), use.neighbourShare(), use.isKnown() ? use.swappedPages() : Double.NaN);
    }

    /**
     * A sentence for each that is too much; empty when the machine was there in full, and where it counts nothing. That steal or swap
     * is not known beside the other is one, too.
     *
     * @param when begins the sentences, as {@code "in the drain "}
     * @param mostStolen so much of it is allowed
     */
    public List<String> sentences(String when, double mostStolen, double mostOfNeighbours) {
        List<String> sentences = new ArrayList<>();
        if (Double.isNaN(stolenShare) && Double.isNaN(swappedPages)) {
            return sentences;
        }
        if (!(stolenShare <= mostStolen)) {
            sentences.add(share(when + "the hypervisor, or a quota,", stolenShare, mostStolen));
        }
        if (neighbourShare > mostOfNeighbours) {
            sentences.add(share(when + "processes that are not of this benchmark", neighbourShare, mostOfNeighbours));
        }
        if (Double.isNaN(swappedPages)) {
            sentences.add(when + "it is not known whether the machine swapped; it must not swap");
        } else if (swappedPages > 0) {
            sentences.add(String.format(
                    Locale.ROOT, "%sthe machine swapped %.0f pages; it must not swap", when, swappedPages));
        }
        return sentences;
    }

    private static String share(String who, double share, double most) {
        if (Double.isNaN(share)) {
            return String.format(
                    Locale.ROOT,
                    "%s took a share of the processors' time that is not known; at most %.1f %% are allowed",
                    who,
                    most * 100);
        }
        return String.format(
                Locale.ROOT,
                "%s took %s %% of the processors' time; at most %s %% are allowed",
                who,
                Digits.beyond(share * 100, most * 100, 1),
                Digits.beyond(most * 100, share * 100, 1));
    }

    /** As {@link #sentences(String, double, double)}, with what is allowed unless told otherwise; none where the machine was not looked at. */
    public static List<String> sentences(String when, MachineUse use) {
        return of(use).sentences(when, MOST_STOLEN, MOST_OF_NEIGHBOURS);
    }
}
