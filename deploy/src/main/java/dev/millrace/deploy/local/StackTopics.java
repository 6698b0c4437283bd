package dev.millrace.deploy.local;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.TopicSpec;
import java.util.ArrayList;
import java.util.List;

/** The topics that a stack with given settings has. */
public final class StackTopics {
    private StackTopics() {}

    public static List<TopicSpec> of(StackSettings settings) {
        List<TopicSpec> topics = new ArrayList<>();
        topics.add(spec(settings, settings.topic()));
        if (settings.resultsToTopic()) {
            topics.add(spec(settings, settings.resultsTopic()));
        }
        return topics;
    }

    /** Makes the topic; one that is there with fewer partitions gets more. */
    public static void make(BrokerClient client, TopicSpec spec) {
        int there = client.partitions(spec.name());
        if (there > 0 && there < spec.partitions()) {
            client.addPartitions(spec.name(), spec.partitions());
        }
        client.createTopic(spec);
    }

    /** A topic like the stack's own. */
    public static TopicSpec spec(StackSettings settings, String name) {
        return new TopicSpec(
                name, settings.partitions(), settings.replicas(), settings.retentionBytes(), settings.retention());
    }
}
