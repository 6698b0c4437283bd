package dev.millrace.connectors.testkit.store;

import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Position;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/** Makes rows and blocks for the contract; the same arguments give the same row. */
public final class Blocks {
    /** Length of every window made here, milliseconds. */
    public static final long WINDOW_MILLIS = 10_000;

    private Blocks() {}

    /** A window with numbers that need every bit: negative maxima, fractions of 1/1024, the greatest long. */
    public static DeviceWindow window(String deviceId, long windowEnd) {
        Random random = new Random(deviceId.hashCode() * 31L + windowEnd);
        Accumulator values = new Accumulator();
        values.readings = 1 + random.nextInt(1000);
        values.firstSequence = random.nextInt(1 << 30);
        values.lastSequence = values.firstSequence + values.readings - 1;
        for (int i = 0; i < Measure.COUNT; i++) {
            values.max[i] = -random.nextInt(1 << 20) / 1024.0 - 1.0 / 1024;
            values.min[i] = values.max[i] - random.nextInt(1 << 20) / 1024.0;
            values.sum[i] = values.max[i] * values.readings;
        }
        values.errorCount = random.nextInt(100);
        values.packetsSent = Long.MAX_VALUE;
        values.packetsReceived = random.nextLong() >>> 1;
        values.bytesSent = random.nextInt();
        values.bytesReceived = 0;
        values.statusReadings[random.nextInt(4)] = values.readings;
        values.latestIntendedSendTime = windowEnd * 1000 - 1;
        return new DeviceWindow(deviceId, windowEnd - WINDOW_MILLIS, windowEnd, values);
    }

    /** {@code devices} windows of one end. */
    public static List<DeviceWindow> windows(int devices, long windowEnd) {
        return IntStream.range(0, devices)
                .mapToObj(i -> window("device-" + i, windowEnd))
                .toList();
    }

    /** A dead letter whose payload has every byte. */
    public static DeadLetter deadLetter(int partition, long offset, int payloadBytes) {
        byte[] payload = new byte[payloadBytes];
        for (int i = 0; i < payloadBytes; i++) {
            payload[i] = (byte) (i + offset);
        }
        return new DeadLetter(
                offset % 2 == 0 ? DeadLetter.Reason.LATE : DeadLetter.Reason.UNDECODABLE,
                partition,
                new Position(offset / 10, offset % 10),
                1_000_000 + offset,
                payload);
    }

    /** A block of windows by the only writer there is, with a token of its own. */
    public static StoreBlock block(long watermark, List<DeviceWindow> windows) {
        return block(0, 1, watermark, windows);
    }

    /** A block of windows by one of several writers. */
    public static StoreBlock block(int writer, int writers, long watermark, List<DeviceWindow> windows) {
        RowBinary.Encoder encoder = new RowBinary.Encoder(1 << 10);
        windows.forEach(encoder::add);
        return new StoreBlock(
                StoreTable.WINDOWS,
                UUID.randomUUID().toString(),
                writer,
                writers,
                watermark,
                encoder.rows(),
                encoder.take());
    }

    /** The latest times of {@code pairs} devices and event types, some types of each device, as of one time. */
    public static List<LatestTime> latestTimes(int pairs, long asOf) {
        return IntStream.range(0, pairs)
                .mapToObj(i -> new LatestTime(
                        "device-" + i / 7, i % 7 == 0 ? "" : "größe " + i % 7, asOf - 1 - i, asOf / 10 + i, asOf))
                .toList();
    }

    /** A block of latest times by the only writer there is. */
    public static StoreBlock latestTimes(long watermark, List<LatestTime> rows) {
        RowBinary.Encoder encoder = new RowBinary.Encoder(1 << 10);
        rows.forEach(encoder::add);
        return new StoreBlock(
                StoreTable.LATEST_TIMES, UUID.randomUUID().toString(), 0, 1, watermark, encoder.rows(), encoder.take());
    }

    /** A block of dead letters. */
    public static StoreBlock deadLetters(List<DeadLetter> letters) {
        RowBinary.Encoder encoder = new RowBinary.Encoder(1 << 10);
        letters.forEach(encoder::add);
        return new StoreBlock(
                StoreTable.DEAD_LETTERS,
                UUID.randomUUID().toString(),
                0,
                1,
                Long.MIN_VALUE,
                encoder.rows(),
                encoder.take());
    }
}
