package dev.millrace.core.window;

import dev.millrace.core.reading.PayloadChunk;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The types that cross Flink, each with the product's own serializer, so that nothing falls back to a generic one. */
public final class WindowTypes {
    public static final TypeInformation<PayloadChunk> PAYLOAD_CHUNK =
            new Type<>(PayloadChunk.class, PayloadChunkSerializer.INSTANCE);
    public static final TypeInformation<DeviceWindow> DEVICE_WINDOW =
            new Type<>(DeviceWindow.class, DeviceWindowSerializer.INSTANCE);
    public static final TypeInformation<DeadLetter> DEAD_LETTER =
            new Type<>(DeadLetter.class, DeadLetterSerializer.INSTANCE);
    public static final TypeInformation<Accumulator> ACCUMULATOR =
            new Type<>(Accumulator.class, new AccumulatorSerializer());
    public static final TypeInformation<SlicePartial> SLICE_PARTIAL =
            new Type<>(SlicePartial.class, SlicePartialSerializer.INSTANCE);

    private WindowTypes() {}

    private static final class Type<T> extends TypeInformation<T> {
        private final Class<T> typeClass;
        private final VersionedSerializer<T> serializer;

        Type(Class<T> typeClass, VersionedSerializer<T> serializer) {
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
            return object instanceof Type;
        }

        @Override
        public boolean equals(Object object) {
            return object instanceof Type<?> other && typeClass == other.typeClass;
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
}
