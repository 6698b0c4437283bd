package dev.millrace.core.reading;

import dev.millrace.core.settings.UserException;
import java.io.IOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.ResolvingDecoder;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * Reads of each payload what a job is made of, and steps over the rest. Payloads written with another version of the schema
 * are resolved by Avro's rules: fields may have been added, removed (where {@code Reading.avsc} has a default) and moved.
 * Mostly by a {@link Projection}; by Avro's own resolving decoder where the writer's schema has none, and for payloads that
 * are not as it says. Not thread-safe.
 */
public final class ReadingDecoder {
    /** Years 1 to 9999: beyond that the arithmetic of windows would overflow. */
    private static final long EVENT_TIME_MIN = -62_135_596_800_000L;

    private static final long EVENT_TIME_MAX = 253_402_300_799_999L;

    private final @Nullable Projection projection;
    private final SpanDecoder span = new SpanDecoder();
    private final ResolvingDecoder resolving;
    private final Utf8 device = new Utf8();
    private final Utf8 eventType = new Utf8();

    /** One that leaves the event type where it is. */
    public ReadingDecoder(@Nullable String writerSchemaJson) {
        this(writerSchemaJson, false);
    }

    /**
     * @param writerSchemaJson what payloads were written with; null means the product's own schema
     * @param withEventType whether the event type is read too
     * @throws UserException when that is no schema, or payloads of it cannot become readings
     */
    public ReadingDecoder(@Nullable String writerSchemaJson, boolean withEventType) {
        Schema writer = writerSchemaJson == null ? ReadingSchema.get() : compatible(parse(writerSchemaJson));
        projection = Projection.of(writer, withEventType).orElse(null);
        resolving = resolving(writer);
    }

    private static Schema parse(String json) {
        try {
            return new Schema.Parser().parse(json);
        } catch (AvroRuntimeException e) {
            throw new UserException("the writer schema is not an Avro schema: " + e.getMessage(), e);
        }
    }

    private static Schema compatible(Schema writer) {
        SchemaCompatibility.SchemaPairCompatibility pair =
                SchemaCompatibility.checkReaderWriterCompatibility(ReadingSchema.get(), writer);
        if (pair.getType() != SchemaCompatibilityType.COMPATIBLE) {
            throw new UserException("payloads of the writer schema cannot become readings: "
                    + pair.getResult().getIncompatibilities());
        }
        return writer;
    }

    private ResolvingDecoder resolving(Schema writer) {
        try {
            return DecoderFactory.get().resolvingDecoder(writer, ReadingSchema.get(), span);
        } catch (IOException e) {
            throw new UserException("the writer schema cannot be resolved: " + e.getMessage(), e);
        }
    }

    /**
     * Decodes payloads of a chunk from {@code first} on, as many as {@code into} has rows and the chunk still holds. A payload
     * that is not exactly one reading is {@linkplain DecodedReadings#isUndecodable undecodable}.
     *
     * @return how many
     */
    public int decode(PayloadChunk chunk, int first, DecodedReadings into) {
        int count = Math.min(DecodedReadings.ROWS, chunk.count() - first);
        boolean good = projection != null && projection.decode(chunk, first, count, into);
        for (int row = 0; row < count; row++) {
            good &= isInRange(into.get(row).eventTime());
            into.undecodable(row, false);
        }
        for (int row = 0; row < count && !good; row++) {
            try {
                decode(chunk.bytes(), chunk.start(first + row), chunk.end(first + row), into.get(row));
            } catch (UndecodableException e) {
                into.undecodable(row, true);
            }
        }
        return count;
    }

    /**
     * Fills {@code reading} from {@code bytes[start, end)}, which must be exactly one reading. After an exception the reading
     * holds anything. Takes more than twice as long as in a run of payloads.
     */
    public void decode(byte[] bytes, int start, int end, DecodedReading reading) throws UndecodableException {
        if (projection == null || !projection.decode(bytes, start, end, reading.all(), reading.row())) {
            resolve(bytes, start, end, reading);
        }
        if (!isInRange(reading.eventTime())) {
            throw new UndecodableException("event time " + reading.eventTime() + " is outside the years 1 to 9999");
        }
    }

    private static boolean isInRange(long eventTime) {
        return eventTime >= EVENT_TIME_MIN && eventTime <= EVENT_TIME_MAX;
    }

    private void resolve(byte[] bytes, int start, int end, DecodedReading reading) throws UndecodableException {
        span.span(bytes, start, end);
        try {
            // Also puts the parser back to its start after a payload that it could not finish.
            resolving.configure(span);
            for (Schema.Field field : resolving.readFieldOrder()) {
                read(resolving, field.pos(), reading);
            }
            resolving.drain();
        } catch (IOException | RuntimeException e) {
            // Avro's resolver answers bad bytes with whatever its parser trips over.
            throw new UndecodableException(e.getMessage() == null ? e.toString() : e.getMessage());
        }
        if (span.remaining() != 0) {
            throw new UndecodableException(span.remaining() + " bytes after the last field");
        }
    }

    private void read(ResolvingDecoder in, int field, DecodedReading reading) throws IOException, UndecodableException {
        switch (field) {
            case 0 -> readDevice(in, reading);
            case 1, 2, 3, 25 -> in.skipString();
            case 26 -> readEventType(in, reading);
            case 4 -> reading.number(DecodedReadings.SEQUENCE, in.readLong());
            case 5 -> reading.number(DecodedReadings.EVENT_TIME, in.readLong());
            case 6 -> reading.number(DecodedReadings.INTENDED_SEND_TIME, in.readLong());
            case 7, 8, 9 -> in.readDouble();
            case 18 -> in.readBoolean();
            case 19 -> reading.number(DecodedReadings.STATUS, status(in.readEnum()));
            case 20 -> reading.number(DecodedReadings.ERROR_COUNT, in.readInt());
            case 21 -> reading.number(DecodedReadings.PACKETS_SENT, in.readLong());
            case 22 -> reading.number(DecodedReadings.PACKETS_RECEIVED, in.readLong());
            case 23 -> reading.number(DecodedReadings.BYTES_SENT, in.readLong());
            case 24 -> reading.number(DecodedReadings.BYTES_RECEIVED, in.readLong());
            case 27 -> in.skipBytes();
            default -> reading.measure(field - 10, in.readDouble());
        }
    }

    private void readDevice(ResolvingDecoder in, DecodedReading reading) throws IOException, UndecodableException {
        Utf8 text = valid("device's name", in.readString(device));
        reading.all().devices.copy(reading.row(), text.getBytes(), text.getByteLength());
    }

    private void readEventType(ResolvingDecoder in, DecodedReading reading) throws IOException, UndecodableException {
        Utf8 text = valid("event type", in.readString(eventType));
        reading.all().types.copy(reading.row(), text.getBytes(), text.getByteLength());
    }

    private static Utf8 valid(String what, Utf8 text) throws UndecodableException {
        if (!Utf8Bytes.isValid(text.getBytes(), 0, text.getByteLength())) {
            throw new UndecodableException("the " + what + " is not UTF-8");
        }
        return text;
    }

    private static int status(int index) throws IOException {
        if (index < 0 || index >= Status.COUNT) {
            throw new IOException("status " + index);
        }
        return index;
    }
}
