package dev.millrace.brokers.pulsar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.testkit.broker.Subject;
import dev.millrace.core.settings.Options;
import java.util.Map;
import java.util.OptionalLong;

/** Pulsar under the contract. */
interface PulsarSubject extends Subject {
    @Override
    default Broker broker() {
        return new PulsarBroker();
    }

    @Override
    default Options localOptions() {
        return Options.of(Map.of("memory", "1GiB"));
    }

    @Override
    default boolean tellsItsAddress() {
        return true;
    }

    @Override
    default Options ofBatches(Options options) {
        return options.with("producer.batchingMaxMessages", "1000")
                .with("producer.batchingMaxPublishDelayMicros", "300000");
    }

    /** Counts entries; each batch is one. */
    @Override
    default OptionalLong storedBatches(LocalBroker local, String topic) {
        PulsarAdmin admin = new PulsarAdmin(PulsarOptions.bind(local.options()));
        JsonNode partitions = admin.read(admin.topic(topic) + "/partitioned-internalStats", "count its entries")
                .path("partitions");
        long entries = 0;
        for (JsonNode partition : partitions) {
            entries += partition.path("numberOfEntries").asLong();
        }
        return OptionalLong.of(entries);
    }
}
