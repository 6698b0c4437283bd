package dev.millrace.connectors.api.store;

import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Position;
import dev.millrace.core.reading.Status;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Rows as bytes: the encoding that ClickHouse calls RowBinary, values one after the other in the order of {@link
 * RowColumns}, no names, no row marks. Lengths are LEB128 varints, numbers little-endian.
 */
public final class RowBinary {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** A length above this is no length: the bytes are damaged. */
    private static final int LONGEST_VALUE_BYTES = 64 << 20;

    private RowBinary() {}

    /**
     * Walks over a block's rows without making any; IllegalArgumentException names the first one that ends too early, or both
     * numbers where the block does not hold as many as it says. For stores whose server takes what it can read.
     */
    public static void check(StoreBlock block) {
        byte[] bytes = block.bytes();
        int rows = 0;
        long at = 0;
        while (at < bytes.length) {
            for (RowColumns.Column column : RowColumns.of(block.table())) {
                at = end(bytes, at, column.type());
                if (at > bytes.length) {
                    throw new IllegalArgumentException("row " + rows + " of the block for "
                            + block.table().sqlName() + ": the bytes end within " + column.name());
                }
            }
            rows++;
        }
        if (rows != block.rows()) {
            throw new IllegalArgumentException("the block for " + block.table().sqlName() + " has " + rows
                    + " rows and says it has " + block.rows());
        }
    }

    /**
     * The window's end, epoch milliseconds, of the row of the windows table that lies from {@code start} to {@code end};
     * IllegalArgumentException when the bytes end before it. For who counts rows and needs no more of them.
     */
    public static long windowEnd(byte[] bytes, int start, int end) {
        // Behind the device's id and the window's start.
        long id = end(bytes, start, RowColumns.Type.STRING);
        // Not by a sum: of an id that has no end, the end is the greatest long.
        if (id > end - 16L) {
            throw new IllegalArgumentException("a row of " + (end - start) + " bytes is no window");
        }
        return (long) LONG.get(bytes, (int) id + 8);
    }

    /** Where a value that begins at {@code at} ends; behind the bytes when it is not whole. */
    private static long end(byte[] bytes, long at, RowColumns.Type type) {
        return switch (type) {
            case INT32 -> at + 4;
            case INT64, FLOAT64 -> at + 8;
            case STRING, BYTES -> {
                long length = 0;
                long here = at;
                int shift = 0;
                byte b;
                do {
                    if (here >= bytes.length || shift > 28) {
                        yield Long.MAX_VALUE;
                    }
                    b = bytes[(int) here++];
                    length |= (b & 0x7fL) << shift;
                    shift += 7;
                } while (b < 0);
                yield here + length;
            }
        };
    }

    /** Encodes rows into a buffer that grows. Not thread-safe. */
    public static final class Encoder {
        private byte[] bytes;
        private int size;
        private int rows;

        public Encoder(int initialBytes) {
            bytes = new byte[Math.max(64, initialBytes)];
        }

        public int rows() {
            return rows;
        }

        /** Bytes written so far. */
        public int size() {
            return size;
        }

        /** The rows so far; the encoder is empty afterwards. */
        public byte[] take() {
            byte[] taken = Arrays.copyOf(bytes, size);
            size = 0;
            rows = 0;
            return taken;
        }

        /** Adds one row of the windows table. */
        public void add(DeviceWindow window) {
            Accumulator values = window.values();
            bytes(window.deviceId().getBytes(StandardCharsets.UTF_8));
            reserve(8 * (RowColumns.of(StoreTable.WINDOWS).size() - 1));
            int64(window.windowStart());
            int64(window.windowEnd());
            int64(values.readings);
            int64(values.firstSequence);
            int64(values.lastSequence);
            for (int i = 0; i < Measure.COUNT; i++) {
                int64(Double.doubleToRawLongBits(values.min[i]));
                int64(Double.doubleToRawLongBits(values.max[i]));
                int64(Double.doubleToRawLongBits(values.sum[i]));
            }
            int64(values.errorCount);
            int64(values.packetsSent);
            int64(values.packetsReceived);
            int64(values.bytesSent);
            int64(values.bytesReceived);
            for (long readings : values.statusReadings) {
                int64(readings);
            }
            int64(values.latestIntendedSendTime);
            rows++;
        }

        /** Adds one row of the dead letters table. */
        public void add(DeadLetter letter) {
            bytes(letter.reason().name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
            reserve(4 + 3 * 8);
            INT.set(bytes, size, letter.partition());
            size += 4;
            int64(letter.position().major());
            int64(letter.position().minor());
            int64(letter.eventTime());
            bytes(letter.payload());
            rows++;
        }

        /** Adds one row of the latest times table. */
        public void add(LatestTime row) {
            bytes(row.deviceId().getBytes(StandardCharsets.UTF_8));
            bytes(row.eventType().getBytes(StandardCharsets.UTF_8));
            reserve(3 * 8);
            int64(row.latest());
            int64(row.readings());
            int64(row.asOf());
            rows++;
        }

        private void int64(long value) {
            LONG.set(bytes, size, value);
            size += 8;
        }

        private void bytes(byte[] value) {
            reserve(5 + value.length);
            int rest = value.length;
            while (rest >= 0x80) {
                bytes[size++] = (byte) (rest | 0x80);
                rest >>>= 7;
            }
            bytes[size++] = (byte) rest;
            System.arraycopy(value, 0, bytes, size, value.length);
            size += value.length;
        }

        private void reserve(int more) {
            if (size + more > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length + (bytes.length >> 1)));
            }
        }
    }

    /** Decodes rows from a stream; bytes that end within a row or cannot be are an IOException. Not thread-safe. */
    public static final class Decoder {
        private final InputStream in;
        /** What was read ahead of {@code in}: {@code buffer[at, end)}. */
        private final byte[] buffer = new byte[64 << 10];

        private int at;
        private int end;

        public Decoder(InputStream in) {
            this.in = in;
        }

        /** The next row of the windows table, or null at the end of the stream. */
        public @Nullable DeviceWindow nextWindow() throws IOException {
            if (atEnd()) {
                return null;
            }
            String deviceId = string();
            need(8 * (RowColumns.of(StoreTable.WINDOWS).size() - 1));
            long windowStart = int64();
            long windowEnd = int64();
            Accumulator values = new Accumulator();
            values.readings = int64();
            values.firstSequence = int64();
            values.lastSequence = int64();
            for (int i = 0; i < Measure.COUNT; i++) {
                values.min[i] = Double.longBitsToDouble(int64());
                values.max[i] = Double.longBitsToDouble(int64());
                values.sum[i] = Double.longBitsToDouble(int64());
            }
            values.errorCount = int64();
            values.packetsSent = int64();
            values.packetsReceived = int64();
            values.bytesSent = int64();
            values.bytesReceived = int64();
            for (int i = 0; i < Status.COUNT; i++) {
                values.statusReadings[i] = int64();
            }
            values.latestIntendedSendTime = int64();
            return new DeviceWindow(deviceId, windowStart, windowEnd, values);
        }

        /** The next row of the dead letters table, or null at the end of the stream. */
        public @Nullable DeadLetter nextDeadLetter() throws IOException {
            if (atEnd()) {
                return null;
            }
            String reason = string();
            need(4 + 3 * 8);
            int partition = int32();
            Position position = new Position(int64(), int64());
            long eventTime = int64();
            byte[] payload = bytes();
            try {
                return new DeadLetter(
                        DeadLetter.Reason.valueOf(reason.toUpperCase(Locale.ROOT)),
                        partition,
                        position,
                        eventTime,
                        payload);
            } catch (IllegalArgumentException e) {
                throw new IOException("'" + reason + "' is not a reason for a dead letter", e);
            }
        }

        /** The next row of the latest times table, or null at the end of the stream. */
        public @Nullable LatestTime nextLatestTime() throws IOException {
            if (atEnd()) {
                return null;
            }
            String deviceId = string();
            String eventType = string();
            need(3 * 8);
            return new LatestTime(deviceId, eventType, int64(), int64(), int64());
        }

        private boolean atEnd() throws IOException {
            return at == end && !more();
        }

        /** Reads on, behind what is there; false at the end of the stream. */
        private boolean more() throws IOException {
            System.arraycopy(buffer, at, buffer, 0, end - at);
            end -= at;
            at = 0;
            int read = in.read(buffer, end, buffer.length - end);
            end += Math.max(0, read);
            return read >= 0;
        }

        /** From here on so many bytes are in the buffer; at most as many as it holds. */
        private void need(int count) throws IOException {
            while (end - at < count) {
                if (!more()) {
                    throw new EOFException("the bytes end within a row");
                }
            }
        }

        private String string() throws IOException {
            return new String(bytes(), StandardCharsets.UTF_8);
        }

        private byte[] bytes() throws IOException {
            long length = 0;
            for (int shift = 0; ; shift += 7) {
                need(1);
                byte b = buffer[at++];
                length |= (b & 0x7fL) << shift;
                if (b >= 0) {
                    break;
                }
                if (shift > 28) {
                    throw new IOException("a length of more than 5 bytes");
                }
            }
            if (length > LONGEST_VALUE_BYTES) {
                throw new IOException("a value of " + length + " bytes; the longest is " + LONGEST_VALUE_BYTES);
            }
            int here = (int) Math.min(length, end - at);
            byte[] value = Arrays.copyOfRange(buffer, at, at + here);
            at += here;
            if (here < length) {
                // A damaged length must not make a large array: what is not there is found by reading.
                byte[] rest = in.readNBytes((int) length - here);
                if (rest.length != length - here) {
                    throw new EOFException("the bytes end within a row");
                }
                value = Arrays.copyOf(value, (int) length);
                System.arraycopy(rest, 0, value, here, rest.length);
            }
            return value;
        }

        /** As {@link #int64}. */
        private int int32() {
            int value = (int) INT.get(buffer, at);
            at += 4;
            return value;
        }

        /** The bytes must be there: {@link #need}. */
        private long int64() {
            long value = (long) LONG.get(buffer, at);
            at += 8;
            return value;
        }
    }
}
