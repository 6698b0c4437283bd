package dev.millrace.perf.change;

/**
 * Something that two results do not have in common.
 *
 * @param name what it is, for people
 * @param a what the first result has; {@link #NOTHING} when it says nothing
 * @param b what the second has
 */
public record Unlike(String name, String a, String b) {
    static final String NOTHING = "not said";
}
