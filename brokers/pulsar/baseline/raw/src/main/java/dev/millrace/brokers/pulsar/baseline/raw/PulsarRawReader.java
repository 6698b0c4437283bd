package dev.millrace.brokers.pulsar.baseline.raw;

import dev.millrace.brokers.pulsar.PulsarBroker;
import dev.millrace.brokers.pulsar.PulsarOptions;
import dev.millrace.connectors.api.baseline.PartitionThreads;
import dev.millrace.connectors.api.baseline.RawReader;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.core.settings.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** A consumer for each partition, read message by message; each thread has a client of its own, as a subtask of the plugin has. */
public final class PulsarRawReader implements RawReader {

    @Override
    public String name() {
        return "pulsar";
    }

    @Override
    public void read(Options options, String topic, int threads, LongAdder records) throws Exception {
        PulsarOptions bound = PulsarOptions.bind(options);
        List<Share> shares = new ArrayList<>();
        try {
            for (List<String> partitions : PartitionThreads.shares(partitions(options, bound, topic), threads)) {
                Share share = new Share(bound, records);
                shares.add(share);
                share.subscribe(partitions);
            }
            PartitionThreads.runAll(shares);
        } finally {
            shares.forEach(Share::close);
        }
    }

    /** The topics that the topic's partitions are; fails with a sentence where the broker or the topic is not there. */
    private static List<String> partitions(Options options, PulsarOptions bound, String topic) {
        try (BrokerClient client = new PulsarBroker().connect(options)) {
            return client.endPositions(topic).keySet().stream()
                    .map(partition -> bound.partition(topic, partition))
                    .toList();
        }
    }
}
