package dev.millrace.core.window;

import dev.millrace.core.reading.PayloadChunk;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** The types that cross Flink, each with the product's own serializer, so that nothing falls back to a generic one. */
public final class WindowTypes {
    public static final TypeInformation<PayloadChunk> PAYLOAD_CHUNK =
            new VersionedType<>(PayloadChunk.class, PayloadChunkSerializer.INSTANCE);
    public static final TypeInformation<DeviceWindow> DEVICE_WINDOW =
            new VersionedType<>(DeviceWindow.class, DeviceWindowSerializer.INSTANCE);
    public static final TypeInformation<DeadLetter> DEAD_LETTER =
            new VersionedType<>(DeadLetter.class, DeadLetterSerializer.INSTANCE);
    public static final TypeInformation<Accumulator> ACCUMULATOR =
            new VersionedType<>(Accumulator.class, new AccumulatorSerializer());
    public static final TypeInformation<SlicePartial> SLICE_PARTIAL =
            new VersionedType<>(SlicePartial.class, SlicePartialSerializer.INSTANCE);

    private WindowTypes() {}
}
