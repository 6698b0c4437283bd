package dev.millrace.core.latest;

/**
 * What is known of one device's event type.
 *
 * @param latest the greatest event time, epoch milliseconds
 */
record Seen(long latest, long readings) {

    Seen and(long otherLatest, long otherReadings) {
        return new Seen(Math.max(latest, otherLatest), readings + otherReadings);
    }
}
