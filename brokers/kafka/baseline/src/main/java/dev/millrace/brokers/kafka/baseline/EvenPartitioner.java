package dev.millrace.brokers.kafka.baseline;

import java.util.Map;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;

/**
 * One partition after the other, to each as much. The client's own {@code RoundRobinPartitioner} leaves every second one of an even
 * number empty: where a batch is full it is asked again and goes on to the next (KAFKA-9965; so does 3.9). For one thread.
 */
public final class EvenPartitioner implements Partitioner {
    private int next;

    @Override
    public void configure(Map<String, ?> settings) {
        // Has none.
    }

    @Override
    public int partition(String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
        int chosen = next % cluster.partitionsForTopic(topic).size();
        next = chosen + 1;
        return chosen;
    }

    /** The same record is asked about once more. */
    @Override
    @SuppressWarnings("deprecation") // gone with 4.0, whose client asks once
    public void onNewBatch(String topic, Cluster cluster, int chosen) {
        next = chosen;
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
