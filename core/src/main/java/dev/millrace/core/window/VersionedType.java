package dev.millrace.core.window;

import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** A type of the product's own, as Flink knows it: by its class and its serializer. */
public final class VersionedType<T> extends TypeInformation<T> {
    private final Class<T> typeClass;
    private final VersionedSerializer<T> serializer;

    public VersionedType(Class<T> typeClass, VersionedSerializer<T> serializer) {
        this.typeClass = typeClass;
        this.serializer = serializer;
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return serializer.duplicate();
    }

    @Override
    @SuppressWarnings("deprecation")
    public TypeSerializer<T> createSerializer(ExecutionConfig config) {
        return serializer.duplicate();
    }

    @Override
    public Class<T> getTypeClass() {
        return typeClass;
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public boolean canEqual(Object object) {
        return object instanceof VersionedType;
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof VersionedType<?> other && typeClass == other.typeClass;
    }

    @Override
    public int hashCode() {
        return typeClass.hashCode();
    }

    @Override
    public String toString() {
        return typeClass.getSimpleName();
    }
}
