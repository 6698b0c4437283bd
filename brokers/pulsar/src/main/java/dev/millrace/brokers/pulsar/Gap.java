package dev.millrace.brokers.pulsar;

/**
 * Between two entries that came one after the other there might have been others.
 *
 * @param isProven whether the broker's count of messages says that there were; where it does not count, nobody knows
 */
record Gap(long fromLedger, long fromEntry, long toLedger, long toEntry, boolean isProven) {}
