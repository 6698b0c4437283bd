package dev.millrace.core.audit;

import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/** The late readings by the windows that they would have been in; read with Avro's own decoder, not with the job's. */
final class LateReadings {
    private final GenericDatumReader<GenericRecord> datums = new GenericDatumReader<>(schema());
    private final Reading reading = new Reading();
    private final long sizeMillis;
    private final long slideMillis;
    private final int devices;
    private final TreeMap<Long, Map<Integer, Tally>> byWindowEnd = new TreeMap<>();
    private @Nullable BinaryDecoder decoder;
    private @Nullable GenericRecord record;

    LateReadings(long sizeMillis, long slideMillis, int devices) {
        this.sizeMillis = sizeMillis;
        this.slideMillis = slideMillis;
        this.devices = devices;
    }

    /** Books a late dead letter's payload; what is wrong with it when it cannot be one of the ledger's. */
    Optional<String> add(byte[] payload) {
        try {
            decoder = DecoderFactory.get().binaryDecoder(payload, decoder);
            record = datums.read(record, decoder);
            if (!decoder.isEnd()) {
                return Optional.of("is longer than a reading");
            }
        } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException e) {
            return Optional.of("is no reading: " + e.getMessage());
        }
        String deviceId = record.get("deviceId").toString();
        int device = ReadingGenerator.deviceNumber(deviceId);
        if (device < 0 || device >= devices) {
            return Optional.of("is of device '" + deviceId + "', which is not in the ledger");
        }
        copyFields(record);
        long last = Math.floorDiv(reading.eventTime, slideMillis) * slideMillis + sizeMillis;
        for (long windowEnd = last; windowEnd > reading.eventTime; windowEnd -= slideMillis) {
            byWindowEnd
                    .computeIfAbsent(windowEnd, e -> new HashMap<>())
                    .computeIfAbsent(device, d -> new Tally(1))
                    .add(0, reading);
        }
        return Optional.empty();
    }

    /** Takes out a device's late readings of that window; null when there are none. */
    @Nullable
    Tally take(long windowEnd, int device) {
        Map<Integer, Tally> ofWindow = byWindowEnd.get(windowEnd);
        return ofWindow == null ? null : ofWindow.remove(device);
    }

    /** What was not taken out, by window end and device. */
    TreeMap<Long, Map<Integer, Tally>> byWindowEnd() {
        return byWindowEnd;
    }

    private void copyFields(GenericRecord record) {
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
