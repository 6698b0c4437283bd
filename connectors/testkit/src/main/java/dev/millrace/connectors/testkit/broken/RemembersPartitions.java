package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.connectors.testkit.broker.WrappedClient;
import dev.millrace.core.settings.Options;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Says how many partitions a topic was made with, without asking the server. */
public final class RemembersPartitions extends Wrapped {
    private final Map<String, Integer> made = new ConcurrentHashMap<>();

    public RemembersPartitions(Broker working) {
        super(working);
    }

    @Override
    public BrokerClient connect(Options options) {
        return new WrappedClient(super.connect(options)) {
            @Override
            public void createTopic(TopicSpec spec) {
                super.createTopic(spec);
                made.put(spec.name(), spec.partitions());
            }

            @Override
            public int partitions(String topic) {
                Integer remembered = made.get(topic);
                return remembered != null ? remembered : super.partitions(topic);
            }
        };
    }
}
