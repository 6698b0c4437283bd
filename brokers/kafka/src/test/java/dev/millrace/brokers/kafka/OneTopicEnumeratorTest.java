package dev.millrace.brokers.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.core.settings.Options;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A broker whose name nobody knows: a pod's, while it is away. */
class OneTopicEnumeratorTest {
    private static final String UNKNOWN = "nobody-has-this-name:9092";

    @Test
    @DisplayName(
            "an enumerator is restored while the broker's name is unknown: Flink would wait for ever for one that is not")
    void restoredWithoutBroker() throws Exception {
        SourceSpec spec =
                new SourceSpec("readings", "group", new StartFrom.Earliest(), StopAt.NEVER, Duration.ofSeconds(1));
        KafkaChunkSource source =
                (KafkaChunkSource) new KafkaBroker().source(Options.of(Map.of("address", UNKNOWN)), spec);
        TopicState state = new TopicState(new KafkaSourceEnumState(Set.of(), true), Uuid.randomUuid());
        try (SplitEnumerator<KafkaPartitionSplit, TopicState> enumerator = source.restoreEnumerator(nothing(), state)) {
            assertThat(enumerator.snapshotState(1).topicId()).isEqualTo(state.topicId());
        }
    }

    @Test
    @DisplayName("the end of a partition is not known while the broker's name is not, which is no failure")
    void noEndsWithoutBroker() {
        Properties properties = new Properties();
        properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, UNKNOWN);
        try (EndOffsets ends = new EndOffsets(properties, IsolationLevel.READ_UNCOMMITTED)) {
            assertThat(ends.apply(List.of(new TopicPartition("readings", 0)))).isEmpty();
        }
    }

    /** Of which nothing is asked before the start. */
    @SuppressWarnings("unchecked")
    private static SplitEnumeratorContext<KafkaPartitionSplit> nothing() {
        return (SplitEnumeratorContext<KafkaPartitionSplit>) Proxy.newProxyInstance(
                OneTopicEnumeratorTest.class.getClassLoader(),
                new Class<?>[] {SplitEnumeratorContext.class},
                (proxy, method, arguments) -> {
                    throw new AssertionError(method + " before the start");
                });
    }
}
