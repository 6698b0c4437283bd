package dev.millrace.brokers.memory.log;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** All topics of a server. Thread-safe. */
final class Topics {
    private static final int PARTITIONS_MAX = 10_000;

    private final Map<String, Topic> topics = new ConcurrentHashMap<>();
    private final AtomicLong incarnations = new AtomicLong(System.currentTimeMillis() * 1000);
    private final Budget budget;

    Topics(long maxBytes) {
        this.budget = new Budget(maxBytes);
    }

    Budget budget() {
        return budget;
    }

    Map<String, Topic> all() {
        return Map.copyOf(topics);
    }

    synchronized void create(String name, int partitions, int replicas, long retentionBytes, long retentionMillis) {
        if (partitions < 1 || partitions > PARTITIONS_MAX) {
            throw new WrongRequestException(
                    Wire.WRONG,
                    "topic '" + name + "' is to have " + partitions + " partitions; 1 to " + PARTITIONS_MAX);
        }
        if (replicas < 0 || replicas > 1) {
            throw new WrongRequestException(
                    Wire.WRONG,
                    "topic '" + name + "' is to have " + replicas
                            + " replicas, but there is one server; ask for 1 replica");
        }
        Topic there = topics.get(name);
        if (there == null) {
            requireRoom(name, partitions, retentionBytes);
            topics.put(
                    name, new Topic(name, incarnations.incrementAndGet(), partitions, retentionBytes, retentionMillis));
        } else if (there.partitions() != partitions) {
            throw new WrongRequestException(
                    Wire.WRONG,
                    "topic '" + name + "' is there with " + there.partitions() + " partitions, not " + partitions
                            + "; remove it or ask for " + there.partitions());
        }
    }

    synchronized void addPartitions(String name, int wanted) {
        Topic topic = existing(name);
        if (wanted > topic.partitions() && wanted <= PARTITIONS_MAX) {
            requireRoom(name, wanted, topic.retentionBytes());
        }
        topic.addPartitions(wanted);
    }

    /** What topics are promised must fit all together: a server that is full takes nothing any more, for none of them. */
    private void requireRoom(String name, int partitions, long retentionBytes) {
        if (retentionBytes < 0) {
            return;
        }
        long most = Topic.mostBytes(retentionBytes, partitions);
        long others = topics.values().stream()
                .filter(topic -> topic != topics.get(name))
                .mapToLong(topic -> Topic.mostBytes(topic.retentionBytes(), topic.partitions()))
                .sum();
        if (most > budget.maxBytes() - others) {
            throw new WrongRequestException(
                    Wire.WRONG,
                    "topic '" + name + "' is to keep " + retentionBytes + " bytes in " + partitions
                            + " partitions, which come to " + most + ", but of the server's room for "
                            + budget.maxBytes() + " other topics are promised " + others
                            + "; give it more with the option 'memory', or let topics keep less");
        }
    }

    synchronized void delete(String name) {
        Topic removed = topics.remove(name);
        if (removed != null) {
            budget.add(-removed.settledBytes());
        }
    }

    /** A reader group of a topic that is not there is gone with it. */
    void forget(String name, String group) {
        Topic topic = topics.get(name);
        if (topic != null) {
            topic.forget(group);
        }
    }

    Topic find(String name) {
        return topics.get(name);
    }

    Topic existing(String name) {
        Topic topic = topics.get(name);
        if (topic == null) {
            throw new WrongRequestException(Wire.WRONG, "there is no topic '" + name + "'");
        }
        return topic;
    }
}
