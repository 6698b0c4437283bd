package dev.millrace.core.reading;

import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.ResolvingDecoder;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * Reads payloads into a {@link Reading} that is used again. Payloads written with another version of the schema are resolved
 * by Avro's rules: fields may have been added, removed (where {@code Reading.avsc} has a default) and moved. Not thread-safe.
 */
public final class ReadingDecoder {
    /** Years 1 to 9999: beyond that the arithmetic of windows would overflow. */
    private static final long EVENT_TIME_MIN = -62_135_596_800_000L;

    private static final long EVENT_TIME_MAX = 253_402_300_799_999L;
    private static final int FIELDS = 27;

    private final SpanDecoder span = new SpanDecoder();
    private final @Nullable ResolvingDecoder resolving;
    private final boolean everyField;
    private final DeviceNames names = new DeviceNames();
    private final Utf8 utf8 = new Utf8();
    private ByteBuffer fillerBytes = ByteBuffer.allocate(512);

    /**
     * Reads every field.
     *
     * @param writerSchemaJson what payloads were written with; null means the product's own schema
     * @throws UserException when that is no schema, or payloads of it cannot become readings
     */
    public ReadingDecoder(@Nullable String writerSchemaJson) {
        this(writerSchemaJson, true);
    }

    private ReadingDecoder(@Nullable String writerSchemaJson, boolean everyField) {
        this.resolving = writerSchemaJson == null ? null : resolving(parse(writerSchemaJson));
        this.everyField = everyField;
    }

    /**
     * Reads only what windows are made of. The strings but {@link Reading#deviceId} and the filler are stepped over (only
     * their lengths are checked) and keep the values that they had.
     */
    public static ReadingDecoder forWindows(@Nullable String writerSchemaJson) {
        return new ReadingDecoder(writerSchemaJson, false);
    }

    private static Schema parse(String json) {
        try {
            return new Schema.Parser().parse(json);
        } catch (AvroRuntimeException e) {
            throw new UserException("the writer schema is not an Avro schema: " + e.getMessage(), e);
        }
    }

    private @Nullable ResolvingDecoder resolving(Schema writer) {
        Schema reader = ReadingSchema.get();
        if (SchemaNormalization.toParsingForm(writer).equals(SchemaNormalization.toParsingForm(reader))) {
            return null;
        }
        SchemaCompatibility.SchemaPairCompatibility pair =
                SchemaCompatibility.checkReaderWriterCompatibility(reader, writer);
        if (pair.getType() != SchemaCompatibilityType.COMPATIBLE) {
            throw new UserException("payloads of the writer schema cannot become readings: "
                    + pair.getResult().getIncompatibilities());
        }
        try {
            return DecoderFactory.get().resolvingDecoder(writer, reader, span);
        } catch (IOException e) {
            throw new UserException("the writer schema cannot be resolved: " + e.getMessage(), e);
        }
    }

    /**
     * Fills {@code reading} from {@code bytes[start, end)}, which must be exactly one reading. After an exception the reading
     * holds anything.
     */
    public void decode(byte[] bytes, int start, int end, Reading reading) throws UndecodableException {
        span.span(bytes, start, end);
        try {
            if (resolving == null) {
                for (int field = 0; field < FIELDS; field++) {
                    read(span, field, reading);
                }
            } else {
                resolve(resolving, reading);
            }
        } catch (IOException | RuntimeException e) {
            // Avro's resolver answers bad bytes with whatever its parser trips over.
            throw new UndecodableException(e.getMessage() == null ? e.toString() : e.getMessage());
        }
        if (span.remaining() != 0) {
            throw new UndecodableException(span.remaining() + " bytes after the last field");
        }
        if (reading.eventTime < EVENT_TIME_MIN || reading.eventTime > EVENT_TIME_MAX) {
            throw new UndecodableException("event time " + reading.eventTime + " is outside the years 1 to 9999");
        }
    }

    private void resolve(ResolvingDecoder in, Reading reading) throws IOException {
        // Also puts the parser back to its start after a payload that it could not finish.
        in.configure(span);
        for (Schema.Field field : in.readFieldOrder()) {
            read(in, field.pos(), reading);
        }
        in.drain();
    }

    private void read(Decoder in, int field, Reading reading) throws IOException {
        switch (field) {
            case 0 -> reading.deviceId = deviceId(in.readString(utf8));
            case 1 -> reading.deviceType = text(in, reading.deviceType);
            case 2 -> reading.customerId = text(in, reading.customerId);
            case 3 -> reading.siteId = text(in, reading.siteId);
            case 4 -> reading.sequence = in.readLong();
            case 5 -> reading.eventTime = in.readLong();
            case 6 -> reading.intendedSendTime = in.readLong();
            case 7 -> reading.latitude = in.readDouble();
            case 8 -> reading.longitude = in.readDouble();
            case 9 -> reading.altitude = in.readDouble();
            case 18 -> reading.motion = in.readBoolean();
            case 19 -> reading.status = status(in.readEnum());
            case 20 -> reading.errorCount = in.readInt();
            case 21 -> reading.packetsSent = in.readLong();
            case 22 -> reading.packetsReceived = in.readLong();
            case 23 -> reading.bytesSent = in.readLong();
            case 24 -> reading.bytesReceived = in.readLong();
            case 25 -> reading.firmware = text(in, reading.firmware);
            case 26 -> reading.filler = filler(in, reading.filler);
            default -> reading.measures[field - 10] = in.readDouble();
        }
    }

    private String deviceId(Utf8 text) throws CharacterCodingException {
        return names.name(text.getBytes(), text.getByteLength());
    }

    private String text(Decoder in, String old) throws IOException {
        if (!everyField) {
            in.skipString();
            return old;
        }
        Utf8 text = in.readString(utf8);
        return names.text(text.getBytes(), text.getByteLength());
    }

    private byte[] filler(Decoder in, byte[] old) throws IOException {
        if (!everyField) {
            in.skipBytes();
            return old;
        }
        fillerBytes = in.readBytes(fillerBytes);
        byte[] filler = old.length == fillerBytes.remaining() ? old : new byte[fillerBytes.remaining()];
        fillerBytes.get(filler);
        return filler;
    }

    private static int status(int index) throws IOException {
        if (index < 0 || index >= Status.COUNT) {
            throw new IOException("status " + index);
        }
        return index;
    }
}
