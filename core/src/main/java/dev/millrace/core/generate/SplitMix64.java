package dev.millrace.core.generate;

/**
 * The mixer that every pseudo-random choice of the generator is made with: SplitMix64 (Steele, Lea, Flood: "Fast
 * Splittable Pseudorandom Number Generators", OOPSLA 2014, with Stafford's variant 13 of the constants). Written out
 * here because a reading must be the same on every Java version for ever.
 */
final class SplitMix64 {
    /** The step of the sequence: 2^64 divided by the golden ratio, odd. */
    static final long STEP = 0x9e3779b97f4a7c15L;

    private SplitMix64() {}

    /** A bijection of the 64-bit numbers in which every bit of the input moves every bit of the output. */
    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Evenly one of {@code 0 .. span-1}, from 32 random bits; {@code 1 <= span < 2^31}. */
    static int below(int span, int random) {
        return (int) (((random & 0xffffffffL) * span) >>> 32);
    }
}
