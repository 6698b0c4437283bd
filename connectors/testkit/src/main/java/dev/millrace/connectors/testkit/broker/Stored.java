package dev.millrace.connectors.testkit.broker;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One record as it was read back. */
record Stored(int partition, Position position, byte[] payload, long timestamp) {

    String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    static List<Stored> of(PayloadChunk chunk) {
        List<Stored> records = new ArrayList<>();
        for (int i = 0; i < chunk.count(); i++) {
            records.add(new Stored(chunk.partition(), chunk.position(i), chunk.payload(i), chunk.brokerTimestamp(i)));
        }
        return records;
    }

    static List<Stored> of(List<PayloadChunk> chunks) {
        List<Stored> records = new ArrayList<>();
        chunks.forEach(chunk -> records.addAll(of(chunk)));
        return records;
    }

    static List<String> texts(List<Stored> records) {
        return records.stream().map(Stored::text).toList();
    }
}
