package dev.millrace.core.window;

import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Status;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** One accumulator; that of a single reading takes a third of the bytes, because its minima are its maxima and sums. */
final class AccumulatorSerializer extends VersionedSerializer<Accumulator> {
    static final AccumulatorSerializer INSTANCE = new AccumulatorSerializer();
    private static final int MANY = 0;
    private static final int ONE = 1;

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

    @Override
    public void serialize(Accumulator values, DataOutputView out) throws IOException {
        boolean one = isOneValue(values);
        out.writeByte(one ? ONE : MANY);
        out.writeLong(values.readings);
        out.writeLong(values.firstSequence);
        out.writeLong(values.lastSequence);
        for (int i = 0; i < Measure.COUNT; i++) {
            out.writeDouble(values.sum[i]);
            if (!one) {
                out.writeDouble(values.min[i]);
                out.writeDouble(values.max[i]);
            }
        }
        out.writeLong(values.errorCount);
        out.writeLong(values.packetsSent);
        out.writeLong(values.packetsReceived);
        out.writeLong(values.bytesSent);
        out.writeLong(values.bytesReceived);
        for (int i = 0; i < Status.COUNT; i++) {
            out.writeLong(values.statusReadings[i]);
        }
        out.writeLong(values.latestIntendedSendTime);
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

    @Override
    public Accumulator deserialize(DataInputView in) throws IOException {
        boolean one = in.readByte() == ONE;
        Accumulator values = new Accumulator();
        values.readings = in.readLong();
        values.firstSequence = in.readLong();
        values.lastSequence = in.readLong();
        for (int i = 0; i < Measure.COUNT; i++) {
            double sum = in.readDouble();
            values.sum[i] = sum;
            values.min[i] = one ? sum : in.readDouble();
            values.max[i] = one ? sum : in.readDouble();
        }
        values.errorCount = in.readLong();
        values.packetsSent = in.readLong();
        values.packetsReceived = in.readLong();
        values.bytesSent = in.readLong();
        values.bytesReceived = in.readLong();
        for (int i = 0; i < Status.COUNT; i++) {
            values.statusReadings[i] = in.readLong();
        }
        values.latestIntendedSendTime = in.readLong();
        return values;
    }

    @Override
    public TypeSerializerSnapshot<Accumulator> snapshotConfiguration() {
        return new SnapshotOfAccumulator();
    }

    /** Public with a public constructor because Flink makes it by name. */
    public static final class SnapshotOfAccumulator extends Snapshot<Accumulator> {
        public SnapshotOfAccumulator() {
            super(INSTANCE, 1);
        }
    }
}
