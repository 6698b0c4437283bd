package dev.millrace.core.latest;

import dev.millrace.core.window.DeadLetter;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * What the second job makes of readings.
 *
 * @param rows one for each device, event type and slice that had a reading of it; a later one takes the place of those before
 * @param deadLetters every payload that is in no row
 */
public record LatestTimes(DataStream<LatestTime> rows, DataStream<DeadLetter> deadLetters) {}
