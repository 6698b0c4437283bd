package dev.millrace.brokers.kafka.batch;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.internals.ConsumerNetworkClient;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * Opens consumers whose records are whole batches. All that Kafka's client does for a fetch it goes on doing (sessions, leaders and
 * their epochs, resets, checksums, aborted transactions, positions); only the batches in an answer are exchanged, before the
 * consumer sees them, for ones that have a single record each: a {@link FetchedBatch}.
 *
 * <p>Kafka has no door for that, so the consumer's network client is replaced in a private field. Which versions of kafka-clients
 * have that field is this plugin's business: it ships the one that it was tested with.
 */
public final class BatchConsumer {
    /** Of batches as the throughput profile makes them 4 MB: a quarter of an answer, so that the task need not wait for all of it. */
    private static final String BATCHES_PER_POLL = "16";

    private BatchConsumer() {}

    /**
     * A consumer as {@code properties} say; a poll's bound is in batches, and is set here.
     *
     * @throws IllegalStateException if kafka-clients on the class path is not the version that this plugin was made for
     */
    public static KafkaConsumer<?, ?> open(Properties properties) {
        Properties own = new Properties();
        own.putAll(properties);
        own.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, BATCHES_PER_POLL);
        KafkaConsumer<?, ?> consumer =
                new KafkaConsumer<>(own, new ByteBufferDeserializer(), new ByteBufferDeserializer());
        try {
            Object delegate = field(KafkaConsumer.class, "delegate").get(consumer);
            Object network = field(delegate.getClass(), "client").get(delegate);
            Field client = field(ConsumerNetworkClient.class, "client");
            client.set(network, withWholeBatches((KafkaClient) client.get(network)));
            return consumer;
        } catch (ReflectiveOperationException | RuntimeException e) {
            consumer.close();
            throw new IllegalStateException(
                    "kafka-clients " + AppInfoParser.getVersion() + " is not the version that Millrace's Kafka plugin"
                            + " reads batches with; take the one that the plugin ships",
                    e);
        }
    }

    private static Field field(Class<?> owner, String name) throws ReflectiveOperationException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static KafkaClient withWholeBatches(KafkaClient client) {
        return (KafkaClient) Proxy.newProxyInstance(
                BatchConsumer.class.getClassLoader(),
                new Class<?>[] {KafkaClient.class},
                (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(client, arguments);
                        if (answer instanceof List<?> responses) {
                            // Those of a poll; the consumer handles them when this call has returned.
                            responses.forEach(BatchConsumer::exchangeBatches);
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void exchangeBatches(Object response) {
        if (response instanceof ClientResponse answered && answered.responseBody() instanceof FetchResponse fetched) {
            for (FetchableTopicResponse topic : fetched.data().responses()) {
                for (PartitionData partition : topic.partitions()) {
                    if (partition.records() instanceof MemoryRecords records) {
                        partition.setRecords(new WholeBatches(records, partition.logStartOffset()));
                    }
                }
            }
        }
    }
}
