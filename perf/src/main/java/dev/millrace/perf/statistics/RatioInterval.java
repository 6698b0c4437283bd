package dev.millrace.perf.statistics;

/** A ratio and its 95 % interval; NaN where they are not known. */
public sealed interface RatioInterval permits PairedInterval, UnpairedInterval {

    /** Of b to a, above 0; NaN when there is none. */
    double ratio();

    /** Lower bound; NaN when there is too little to say. */
    double low();

    /** Upper bound; NaN likewise. */
    double high();

    /** The smallest ratio above 1 that would be seen four times in five; NaN as the bounds. */
    double detectable();

    /** Whether there are bounds. */
    default boolean isKnown() {
        return !Double.isNaN(low());
    }

    /** Whether a difference was seen; not without bounds. */
    default boolean excludesOne() {
        return low() > 1 || high() < 1;
    }

    /** Whether the interval is a point, as nothing in it has a spread. */
    default boolean isPoint() {
        return low() == high();
    }
}
