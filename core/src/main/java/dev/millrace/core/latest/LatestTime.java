package dev.millrace.core.latest;

/**
 * When a device last sent an event type, as far as readings before {@code asOf} say.
 *
 * @param latest the greatest event time among them, epoch milliseconds
 * @param readings how many there were since the job began: by it an audit sees what was lost or counted twice, which the time
 *     alone would hide
 * @param asOf the end of the slice that brought the newest of them, epoch milliseconds, exclusive
 */
public record LatestTime(String deviceId, String eventType, long latest, long readings, long asOf) {}
