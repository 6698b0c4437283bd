package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.reader.PendingRecords;
import dev.millrace.connectors.api.reader.Ticker;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker every two seconds how many messages each partition still holds for its reader, and whether a topic that nothing
 * comes from any more is still there. A thread of its own, because the answers take requests over HTTP and the fetch thread has
 * better things to do. Thread-safe.
 */
final class PendingWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PendingWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(2);

    private final PulsarAdmin admin;
    private final String group;
    private final PendingRecords pending;
    private final Ticker ticker;
    private final Set<PartitionReader> readers = ConcurrentHashMap.newKeySet();

    PendingWatch(PulsarOptions options, String group, PendingRecords pending, int subtask) {
        this.admin = new PulsarAdmin(options);
        this.group = group;
        this.pending = pending;
        this.ticker = new Ticker("millrace-pending-" + subtask, EVERY, () -> readers.forEach(this::ask));
    }

    void add(PartitionReader reader) {
        readers.add(reader);
        ticker.start();
    }

    /** Takes note that the broker has just confirmed the end. */
    void atEnd(PartitionReader reader) {
        pending.set(reader.split().splitId(), 0);
    }

    void remove(PartitionReader reader) {
        readers.remove(reader);
        pending.set(reader.split().splitId(), 0);
    }

    private void ask(PartitionReader reader) {
        try {
            reader.endIfDeleted();
            long behind = behind(reader);
            if (readers.contains(reader) && !reader.isAtEnd()) {
                pending.set(reader.split().splitId(), behind);
            }
        } catch (RuntimeException e) {
            LOG.debug("how much is pending is not known now: {}", e.toString());
        }
    }

    /** By the broker's count of messages, which each entry carries; without it, by what the group has not confirmed. */
    private long behind(PartitionReader reader) {
        String topic = reader.split().topic();
        int partition = reader.split().partition();
        long read = reader.inbox().lastIndex();
        if (read >= 0) {
            PulsarAdmin.Answer newest = admin.get(
                    admin.partition(topic, partition) + "/examinemessage?initialPosition=latest&messagePosition=1",
                    "tell the newest message of partition " + partition + " of topic '" + topic + "'");
            if (newest.index() != null) {
                return Long.parseLong(newest.index()) - read;
            }
        }
        return new PulsarLag(admin).of(topic, partition, group);
    }

    @Override
    public void close() {
        ticker.close();
    }
}
