package dev.millrace.brokers.pulsar;

/** Between two entries that came one after the other there might have been others. */
record Gap(long fromLedger, long fromEntry, long toLedger, long toEntry) {}
