package dev.millrace.core.window;

import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Status;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * One accumulator. The first byte says what is short: mostly counters fit halves and quarters of a long, and the minima of a
 * single reading are its maxima and sums. What does not fit is written in full. Version 1 knew {@link #ONE} only, so its bytes
 * are read like those of today.
 */
final class AccumulatorSerializer extends VersionedSerializer<Accumulator> {
    /** The data version of every serializer that has an accumulator in it. */
    static final int VERSION = 2;

    /** Minima and maxima are left out: they are the sums. */
    private static final int ONE = 1;

    private static final int SHORT_COUNTERS = 2;

    private static final int LONGEST_BYTES = 1 + (3 + 3 * Measure.COUNT + 5 + Status.COUNT + 1) * Long.BYTES;

    private static final long HALF = 0xFFFF_FFFFL;
    private static final long QUARTER = 0xFFFFL;

    private transient @Nullable DataOutputSerializer scratch;

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public Accumulator createInstance() {
        return new Accumulator();
    }

    @Override
    public Accumulator copy(Accumulator from) {
        return from.copy();
    }

    /** One for each thread: what it writes is put together here first. */
    @Override
    public AccumulatorSerializer duplicate() {
        return new AccumulatorSerializer();
    }

    /** By one write, because a checkpoint's stream passes each write on through several others. */
    @Override
    public void serialize(Accumulator values, DataOutputView out) throws IOException {
        if (scratch == null) {
            scratch = new DataOutputSerializer(LONGEST_BYTES);
        }
        scratch.clear();
        write(values, scratch);
        out.write(scratch.getSharedBuffer(), 0, scratch.length());
    }

    static void write(Accumulator values, DataOutputView out) throws IOException {
        boolean one = isOneValue(values);
        boolean shortCounters = areCountersShort(values);
        out.writeByte((one ? ONE : 0) | (shortCounters ? SHORT_COUNTERS : 0));
        if (shortCounters) {
            out.writeLong(values.firstSequence);
            out.writeLong(halves(values.lastSequence - values.firstSequence, values.readings));
        } else {
            out.writeLong(values.readings);
            out.writeLong(values.firstSequence);
            out.writeLong(values.lastSequence);
        }
        for (int i = 0; i < Measure.COUNT; i++) {
            out.writeDouble(values.sum[i]);
            if (!one) {
                out.writeDouble(values.min[i]);
                out.writeDouble(values.max[i]);
            }
        }
        if (shortCounters) {
            writeShortCounters(values, out);
        } else {
            writeCounters(values, out);
        }
        out.writeLong(values.latestIntendedSendTime);
    }

    private static void writeShortCounters(Accumulator values, DataOutputView out) throws IOException {
        out.writeInt((int) values.errorCount);
        out.writeLong(halves(values.packetsSent, values.packetsReceived));
        out.writeLong(halves(values.bytesSent, values.bytesReceived));
        long statuses = 0;
        for (int i = 0; i < Status.COUNT; i++) {
            statuses = statuses << 16 | values.statusReadings[i];
        }
        out.writeLong(statuses);
    }

    private static void writeCounters(Accumulator values, DataOutputView out) throws IOException {
        out.writeLong(values.errorCount);
        out.writeLong(values.packetsSent);
        out.writeLong(values.packetsReceived);
        out.writeLong(values.bytesSent);
        out.writeLong(values.bytesReceived);
        for (int i = 0; i < Status.COUNT; i++) {
            out.writeLong(values.statusReadings[i]);
        }
    }

    /** By bits: the minimum of -0.0 is -0.0, but the sum 0.0 + -0.0 is 0.0. */
    private static boolean isOneValue(Accumulator values) {
        for (int i = 0; i < Measure.COUNT; i++) {
            long sum = Double.doubleToRawLongBits(values.sum[i]);
            if (sum != Double.doubleToRawLongBits(values.min[i]) || sum != Double.doubleToRawLongBits(values.max[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean areCountersShort(Accumulator values) {
        // An empty one's sequences span 1, by overflow, and come back by overflow.
        long halves = values.lastSequence - values.firstSequence
                | values.readings
                | values.errorCount
                | values.packetsSent
                | values.packetsReceived
                | values.bytesSent
                | values.bytesReceived;
        long quarters = 0;
        for (int i = 0; i < Status.COUNT; i++) {
            quarters |= values.statusReadings[i];
        }
        return (halves & ~HALF | quarters & ~QUARTER) == 0;
    }

    private static long halves(long upper, long lower) {
        return upper << 32 | lower & HALF;
    }

    private static long upper(long halves) {
        return halves >>> 32;
    }

    private static long lower(long halves) {
        return halves & HALF;
    }

    @Override
    public Accumulator deserialize(DataInputView in) throws IOException {
        Accumulator values = new Accumulator();
        read(values, in);
        return values;
    }

    /** Reads over all that {@code values} holds. */
    static void read(Accumulator values, DataInputView in) throws IOException {
        int form = in.readByte();
        boolean one = (form & ONE) != 0;
        boolean shortCounters = (form & SHORT_COUNTERS) != 0;
        if (shortCounters) {
            values.firstSequence = in.readLong();
            long halves = in.readLong();
            values.lastSequence = values.firstSequence + upper(halves);
            values.readings = lower(halves);
        } else {
            values.readings = in.readLong();
            values.firstSequence = in.readLong();
            values.lastSequence = in.readLong();
        }
        for (int i = 0; i < Measure.COUNT; i++) {
            double sum = in.readDouble();
            values.sum[i] = sum;
            values.min[i] = one ? sum : in.readDouble();
            values.max[i] = one ? sum : in.readDouble();
        }
        if (shortCounters) {
            readShortCounters(values, in);
        } else {
            readCounters(values, in);
        }
        values.latestIntendedSendTime = in.readLong();
    }

    private static void readShortCounters(Accumulator values, DataInputView in) throws IOException {
        values.errorCount = Integer.toUnsignedLong(in.readInt());
        long packets = in.readLong();
        values.packetsSent = upper(packets);
        values.packetsReceived = lower(packets);
        long bytes = in.readLong();
        values.bytesSent = upper(bytes);
        values.bytesReceived = lower(bytes);
        long statuses = in.readLong();
        for (int i = Status.COUNT - 1; i >= 0; i--) {
            values.statusReadings[i] = statuses & QUARTER;
            statuses >>>= 16;
        }
    }

    private static void readCounters(Accumulator values, DataInputView in) throws IOException {
        values.errorCount = in.readLong();
        values.packetsSent = in.readLong();
        values.packetsReceived = in.readLong();
        values.bytesSent = in.readLong();
        values.bytesReceived = in.readLong();
        for (int i = 0; i < Status.COUNT; i++) {
            values.statusReadings[i] = in.readLong();
        }
    }

    @Override
    public TypeSerializerSnapshot<Accumulator> snapshotConfiguration() {
        return new SnapshotOfAccumulator();
    }

    /** Public with a public constructor because Flink makes it by name. */
    public static final class SnapshotOfAccumulator extends Snapshot<Accumulator> {
        public SnapshotOfAccumulator() {
            super(new AccumulatorSerializer(), VERSION);
        }
    }
}
