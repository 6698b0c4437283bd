package dev.millrace.deploy.local.supervisor;

import java.time.Duration;

/**
 * How long a dead process stays dead. It grows so that a process that cannot live does not use up the machine by starting: a
 * start takes one or two CPU seconds. It stays short so that a process that is killed again and again is back in seconds.
 */
final class BackOff {
    static final long MILLIS_MIN = 1000;
    static final long MILLIS_MAX = 5000;
    /** Who lived so long can live. Longer than a start takes on a busy machine. */
    static final Duration STEADY = Duration.ofSeconds(30);

    private long nextMillis = MILLIS_MIN;

    /** Milliseconds to wait before it starts again. */
    long afterLifeOf(Duration life) {
        long millis = life.compareTo(STEADY) < 0 ? nextMillis : MILLIS_MIN;
        nextMillis = Math.min(2 * millis, MILLIS_MAX);
        return millis;
    }
}
