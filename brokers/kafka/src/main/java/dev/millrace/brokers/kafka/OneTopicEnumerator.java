package dev.millrace.brokers.kafka;

import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The official enumerator, and beside it the topic's id, which a checkpoint has too: offsets begin anew in a topic that was made anew
 * under its name, and where it has grown past those of a checkpoint, what is before them would be left out without a word. A source
 * that finds another id than its own fails, now and at each restart.
 *
 * <p>Of a bounded source that is restored when all its splits were assigned the official one, left to itself, looks for partitions,
 * finds none that is new and then never says that no split follows, so the source would not end: it is not started.
 *
 * <p>All but the asking is on the coordinator's thread.
 */
final class OneTopicEnumerator implements SplitEnumerator<KafkaPartitionSplit, TopicState> {
    private static final Logger LOG = LoggerFactory.getLogger(OneTopicEnumerator.class);
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> official;
    private final SplitEnumeratorContext<KafkaPartitionSplit> context;
    private final boolean allAssigned;
    private final String topic;
    private final Properties adminProperties;
    private Uuid topicId;
    /** Made by the first question, since where the broker's name is unknown just now it fails: an enumerator must come up without. */
    private @Nullable Admin admin;

    private boolean closed;

    /**
     * @param allAssigned whether no split follows: a partition that came later lies behind the end
     * @param topicId as {@link TopicState} has it
     */
    OneTopicEnumerator(
            SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> official,
            SplitEnumeratorContext<KafkaPartitionSplit> context,
            boolean allAssigned,
            String topic,
            Uuid topicId,
            Properties adminProperties) {
        this.official = official;
        this.context = context;
        this.allAssigned = allAssigned;
        this.topic = topic;
        this.topicId = topicId;
        this.adminProperties = adminProperties;
    }

    @Override
    public void start() {
        if (!allAssigned) {
            official.start();
        }
        context.callAsync(this::ask, this::take, 0, EVERY.toMillis());
    }

    private Uuid ask() throws Exception {
        return admin().describeTopics(List.of(topic))
                .topicNameValues()
                .get(topic)
                .get(KafkaCalls.BOUND_SECONDS + 2, TimeUnit.SECONDS)
                .topicId();
    }

    private synchronized Admin admin() {
        if (closed) {
            throw new IllegalStateException("the enumerator was closed");
        }
        if (admin == null) {
            admin = Admin.create(adminProperties);
        }
        return admin;
    }

    private synchronized void closeAdmin() {
        closed = true;
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
    }

    /** A server that is too old for topics' ids answers zero. */
    private void take(@Nullable Uuid now, @Nullable Throwable failure) {
        if (failure != null) {
            // What does not mend itself the readers say, and of an unbounded source the official enumerator.
            LOG.debug("the id of topic '{}' could not be asked for", topic, failure);
        } else if (topicId.equals(Uuid.ZERO_UUID)) {
            topicId = now;
        } else if (!now.equals(Uuid.ZERO_UUID) && !now.equals(topicId)) {
            throw new EnvironmentException("what was read of topic '" + topic
                    + "' is no longer there: the topic was made anew since (its id is " + now + ", it was " + topicId
                    + "). Nothing is skipped silently: start without the checkpoint");
        }
    }

    @Override
    public void addReader(int subtask) {
        official.addReader(subtask);
        if (allAssigned) {
            context.signalNoMoreSplits(subtask);
        }
    }

    @Override
    public void addSplitsBack(List<KafkaPartitionSplit> splits, int subtask) {
        official.addSplitsBack(splits, subtask);
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
        official.handleSplitRequest(subtask, host);
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        official.handleSourceEvent(subtask, event);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        official.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) throws Exception {
        official.notifyCheckpointAborted(checkpointId);
    }

    @Override
    public TopicState snapshotState(long checkpointId) throws Exception {
        return new TopicState(official.snapshotState(checkpointId), topicId);
    }

    @Override
    public void close() throws IOException {
        try {
            official.close();
        } finally {
            closeAdmin();
        }
    }
}
