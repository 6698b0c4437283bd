package dev.millrace.deploy.look;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.ReadProgress;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.window.DeviceWindow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;

/** Reads a result topic from its oldest record to where it ended when that began. */
final class TopicRows {
    private static final Duration POLL = Duration.ofSeconds(2);
    private static final Duration BOUND = Duration.ofMinutes(5);
    /** A broker that is slow, or just started again, may need as long to begin. */
    private static final int SILENT_POLLS = 10;

    private TopicRows() {}

    /** Hands on every row with its partition, in order of each partition; EnvironmentException when a record is no row or the end is not reached in 5 min. */
    static void read(BrokerClient broker, String topic, ObjIntConsumer<DeviceWindow> rows) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        // The job goes on writing: what counts is where the topic ends now.
        ReadProgress progress = new ReadProgress(broker.endPositions(topic), Map.of());
        int silent = 0;
        try (Subscriber subscriber = broker.subscriber(topic, new StartFrom.Earliest())) {
            // Partitions without a record may never say that they are at their end: a long silence does as well.
            while (!progress.isAtEnd() && silent < SILENT_POLLS) {
                if (System.nanoTime() > deadline) {
                    throw new EnvironmentException("the end of topic '" + topic + "' was not reached within 5 min");
                }
                List<PayloadChunk> chunks = subscriber.poll(POLL);
                silent = chunks.isEmpty() ? silent + 1 : 0;
                for (PayloadChunk chunk : chunks) {
                    read(chunk, topic, rows);
                    progress.read(chunk);
                }
            }
        }
        if (!progress.isAtEnd()) {
            // The silence of a broker that has died is no end; that one does not answer this either.
            broker.endPositions(topic);
        }
    }

    private static void read(PayloadChunk chunk, String topic, ObjIntConsumer<DeviceWindow> rows) {
        for (int i = 0; i < chunk.count(); i++) {
            int length = chunk.end(i) - chunk.start(i);
            try {
                DeviceWindow row = new RowBinary.Decoder(
                                new ByteArrayInputStream(chunk.bytes(), chunk.start(i), length))
                        .nextWindow();
                if (row == null) {
                    throw new IOException("it is empty");
                }
                rows.accept(row, chunk.partition());
            } catch (IOException e) {
                throw new EnvironmentException(
                        "a record of topic '" + topic + "', partition " + chunk.partition() + ", is no window: "
                                + e.getMessage(),
                        e);
            }
        }
    }
}
