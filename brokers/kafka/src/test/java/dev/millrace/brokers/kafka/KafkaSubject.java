package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.testkit.broker.Subject;
import dev.millrace.core.settings.Options;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.record.FileRecords;
import org.apache.kafka.common.record.RecordBatch;

/** Kafka under the contract. */
interface KafkaSubject extends Subject {
    @Override
    default Broker broker() {
        return new KafkaBroker();
    }

    @Override
    default Options localOptions() {
        return Options.of(Map.of("memory", "512MiB"));
    }

    @Override
    default boolean tellsItsAddress() {
        return true;
    }

    @Override
    default Options ofBatches(Options options) {
        return options.with("producer.batch.size", "1048576").with("producer.linger.ms", "300");
    }

    /** Counts the batches in the segments, as they lie on the disk. */
    @Override
    default OptionalLong storedBatches(LocalBroker local, String topic) {
        File[] partitions = KafkaServerFiles.data(local.log().getParent())
                .toFile()
                .listFiles((directory, name) -> name.matches(topic + "-\\d+"));
        long batches = 0;
        for (File partition : partitions) {
            for (File segment : partition.listFiles((directory, name) -> name.endsWith(".log"))) {
                try (FileRecords records = FileRecords.open(segment, false)) {
                    for (RecordBatch batch : records.batches()) {
                        batches += batch.sizeInBytes() > 0 ? 1 : 0;
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return OptionalLong.of(batches);
    }
}
