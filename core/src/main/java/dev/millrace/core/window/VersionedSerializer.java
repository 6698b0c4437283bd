package dev.millrace.core.window;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A serializer without parameters: two of one class are equal. State holds its data version, so that a later version
 * knows what it reads.
 */
public abstract class VersionedSerializer<T> extends TypeSerializer<T> {

    @Override
    public TypeSerializer<T> duplicate() {
        return this;
    }

    @Override
    public T copy(T from, T reuse) {
        return copy(from);
    }

    @Override
    public T deserialize(T reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public boolean equals(Object object) {
        return object != null && object.getClass() == getClass();
    }

    @Override
    public int hashCode() {
        return getClass().hashCode();
    }

    /** What stands in a savepoint for the serializer: the version of its data. Each serializer has its own subclass. */
    protected abstract static class Snapshot<T> implements TypeSerializerSnapshot<T> {
        private final VersionedSerializer<T> serializer;
        private final int dataVersion;

        protected Snapshot(VersionedSerializer<T> serializer, int dataVersion) {
            this.serializer = serializer;
            this.dataVersion = dataVersion;
        }

        @Override
        public int getCurrentVersion() {
            return dataVersion;
        }

        @Override
        public void writeSnapshot(DataOutputView out) {
            // the version, which Flink writes, says it all
        }

        @Override
        public void readSnapshot(int readVersion, DataInputView in, ClassLoader classLoader) throws IOException {
            if (readVersion > dataVersion) {
                throw new IOException("state of version " + readVersion + " was written by a newer release: its "
                        + serializer.getClass().getSimpleName() + " reads up to version " + dataVersion
                        + " here; restore it with that release");
            }
        }

        @Override
        public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(TypeSerializerSnapshot<T> old) {
            return old.getClass() == getClass()
                    ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                    : TypeSerializerSchemaCompatibility.incompatible();
        }

        @Override
        public TypeSerializer<T> restoreSerializer() {
            return serializer.duplicate();
        }
    }
}
