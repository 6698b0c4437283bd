package dev.millrace.core.window;

/**
 * One result row: what one device reported in {@code [windowStart, windowEnd)}.
 *
 * @param windowStart epoch milliseconds, inclusive
 * @param windowEnd epoch milliseconds, exclusive
 * @param values the aggregates; never empty
 */
public record DeviceWindow(String deviceId, long windowStart, long windowEnd, Accumulator values) {}
