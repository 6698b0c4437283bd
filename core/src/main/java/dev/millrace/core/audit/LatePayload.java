package dev.millrace.core.audit;

import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/** The payload of a late dead letter, read with Avro's own decoder, not with the job's. Not thread-safe. */
final class LatePayload {
    private final GenericDatumReader<GenericRecord> datums = new GenericDatumReader<>(schema());
    private final Reading reading = new Reading();
    private @Nullable BinaryDecoder decoder;
    private @Nullable GenericRecord record;

    /** Reads it into {@link #reading}; what is wrong with it when it is none. */
    Optional<String> read(byte[] payload) {
        try {
            decoder = DecoderFactory.get().binaryDecoder(payload, decoder);
            record = datums.read(record, decoder);
            if (!decoder.isEnd()) {
                return Optional.of("is longer than a reading");
            }
        } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException e) {
            return Optional.of("is no reading: " + e.getMessage());
        }
        copyFields(record);
        return Optional.empty();
    }

    /** What was read last; without what no job looks at. */
    Reading reading() {
        return reading;
    }

    /**
     * Whether what was read last was sent so soon after its event time that a job cannot have found it late: each partition has its
     * readings in the order in which they were meant, so none before it was further ahead.
     */
    boolean isWithin(Duration outOfOrderness) {
        return Math.floorDiv(reading.intendedSendTime, 1000) - reading.eventTime <= outOfOrderness.toMillis();
    }

    private void copyFields(GenericRecord record) {
        reading.deviceId = record.get("deviceId").toString();
        reading.eventType = record.get("eventType").toString();
        reading.sequence = (Long) record.get("sequence");
        reading.eventTime = (Long) record.get("eventTime");
        reading.intendedSendTime = (Long) record.get("intendedSendTime");
        for (Measure measure : Measure.values()) {
            reading.measures[measure.ordinal()] = (Double) record.get(measure.field());
        }
        reading.status = Status.valueOf(record.get("status").toString()).ordinal();
        reading.errorCount = (Integer) record.get("errorCount");
        reading.packetsSent = (Long) record.get("packetsSent");
        reading.packetsReceived = (Long) record.get("packetsReceived");
        reading.bytesSent = (Long) record.get("bytesSent");
        reading.bytesReceived = (Long) record.get("bytesReceived");
    }

    private static Schema schema() {
        try (InputStream in = Reading.class.getResourceAsStream("Reading.avsc")) {
            return new Schema.Parser().parse(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
