package dev.millrace.connectors.api.lint;

import java.util.Locale;

/** What a finding says of a setting. */
public enum Verdict {
    /** There is no such setting. */
    UNKNOWN(true),
    /** Written about under this name, but called otherwise. */
    MISNAMED(true),
    /** Was called so once; the server still understands it. */
    RENAMED(true),
    /** Has no effect beside the other settings. */
    INERT(true),
    /** Does the opposite of what it is set for, or gives up a promise. */
    HARMFUL(true),
    /** Its value is none that the server takes. */
    WRONG_VALUE(true),
    /** Stands in the file more than once. */
    REPEATED(true),
    /** The server still takes it and names nothing in its place. */
    DEPRECATED(false),
    /** Exists; what is to be known before it is set so. */
    ADVICE(false),
    /** Exists and is right as it is; what is known of it. Told only to who asks. */
    NOTE(false);

    private final boolean fails;

    Verdict(boolean fails) {
        this.fails = fails;
    }

    /** Whether a file with such a finding is not in order. */
    public boolean fails() {
        return fails;
    }

    /** In lower case, words apart by a blank. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
