package dev.millrace.core.window;

import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * What the job makes of readings.
 *
 * @param rows one for each device and window that had a reading
 * @param deadLetters every payload that is in no row
 */
public record Windows(DataStream<DeviceWindow> rows, DataStream<DeadLetter> deadLetters) {}
