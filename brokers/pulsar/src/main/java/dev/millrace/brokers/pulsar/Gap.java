package dev.millrace.brokers.pulsar;

/**
 * Between two entries that came one after the other there might have been others.
 *
 * @param isProven whether the broker had counted the messages up to the first, and its count does not say that the second is the next;
 *     where it does not count, nobody knows
 */
record Gap(long fromLedger, long fromEntry, long toLedger, long toEntry, boolean isProven) {}
