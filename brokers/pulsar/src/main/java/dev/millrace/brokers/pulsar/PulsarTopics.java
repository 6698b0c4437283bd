package dev.millrace.brokers.pulsar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.time.Duration;
import java.util.Map;

/** Makes, changes and looks at topics. A topic is always partitioned, with one partition too. */
final class PulsarTopics {
    private static final long MEBIBYTE = 1L << 20;

    /** A topic with properties is made by a body of this type; in one of plain JSON stands a number alone. */
    private static final String METADATA_TYPE = "application/vnd.partitioned-topic-metadata+json";

    /** A topic's property that is there with the topic: it says whose a topic is that has no policies yet. */
    private static final String MADE_BY = "made-by";

    private static final String MILLRACE = "millrace";
    private static final String RETENTION = "retention";
    /** The last policy that a topic gets: where it is missing, the making was cut short. */
    private static final String LAST_POLICY = "messageTTL";

    private final PulsarOptions options;
    private final PulsarAdmin admin;

    PulsarTopics(PulsarOptions options, PulsarAdmin admin) {
        this.options = options;
        this.admin = admin;
    }

    /** Makes the topic; one of ours whose making was cut short gets the rest, one of somebody else stays as it is. */
    void create(TopicSpec spec) {
        String topic = spec.name();
        int there = partitions(topic);
        boolean isNew = there == 0;
        if (isNew) {
            requireReplicas(spec);
            make(topic, spec.partitions());
            setPolicies(spec);
            there = partitions(topic);
        }
        if (there != spec.partitions()) {
            throw new UserException("topic '" + topic + "' is there with " + there + " partitions, not "
                    + spec.partitions() + "; delete it, take another name or ask for " + there);
        }
        if (!isNew && isHalfMade(topic)) {
            setPolicies(spec);
        }
    }

    private boolean isHalfMade(String topic) {
        boolean ours = admin.find(admin.topic(topic) + "/properties", "tell the properties of topic '" + topic + "'")
                .map(properties -> properties.path(MADE_BY).asText().equals(MILLRACE))
                .orElse(false);
        // Both: older brokers may lose a policy when the next one follows at once (Pulsar's PIP-428).
        return ours && !(hasPolicy(topic, RETENTION) && hasPolicy(topic, LAST_POLICY));
    }

    /** Of its own; what holds for the namespace does not count. */
    private boolean hasPolicy(String topic, String policy) {
        String what = "tell the " + policy + " of topic '" + topic + "'";
        PulsarAdmin.Answer answer = admin.get(admin.topic(topic) + "/" + policy, what);
        String value = admin.fine(answer, what).body();
        return !value.isBlank() && !value.equals("null");
    }

    /** Only the topic, with the mark that it is ours and without a policy. */
    void make(String topic, int partitions) {
        String what = "make topic '" + topic + "'";
        String metadata =
                "{\"partitions\":" + partitions + ",\"properties\":{\"" + MADE_BY + "\":\"" + MILLRACE + "\"}}";
        PulsarAdmin.Answer made = admin.ask("PUT", admin.topic(topic) + "/partitions", metadata, METADATA_TYPE, what);
        // Another client was faster, or this one's first try was heard after all: whether it fits is looked at next.
        if (made.status() != 409) {
            admin.fine(made, what);
        }
    }

    /** May be done again. Each is a request of its own, and whoever makes the topic may end between two of them. */
    private void setPolicies(TopicSpec spec) {
        retain(spec);
        // What holds on the whole broker already need not be said for the topic.
        Map<String, String> broker = PulsarSettingsReader.ofBroker(admin);
        if (!"true".equals(broker.get("brokerDeduplicationEnabled"))) {
            setting(spec.name(), "deduplicationEnabled", "true");
        }
        if (!"false".equals(broker.get("brokerDeleteInactiveTopicsEnabled"))) {
            keepInactive(spec.name());
        }
        if (spec.replicas() > 1) {
            replicate(spec);
        }
        long seconds = Math.min(Integer.MAX_VALUE, minutes(spec) * 60);
        setting(spec.name(), LAST_POLICY + "?messageTTL=" + seconds, null);
    }

    private static long minutes(TopicSpec spec) {
        return Math.max(1, (spec.retention().toSeconds() + 59) / 60);
    }

    private void keepInactive(String topic) {
        setting(
                topic,
                "inactiveTopicPolicies",
                "{\"inactiveTopicDeleteMode\":\"delete_when_no_subscriptions\",\"maxInactiveDurationSeconds\":60,"
                        + "\"deleteWhileInactive\":false}");
    }

    private void replicate(TopicSpec spec) {
        int acks = spec.replicas() - (spec.replicas() > 2 ? 1 : 0);
        setting(
                spec.name(),
                "persistence",
                "{\"bookkeeperEnsemble\":" + spec.replicas() + ",\"bookkeeperWriteQuorum\":" + spec.replicas()
                        + ",\"bookkeeperAckQuorum\":" + acks + ",\"managedLedgerMaxMarkDeleteRate\":0.0}");
    }

    /**
     * Retention holds what every reader group has confirmed, and what was never read by one. What a group has NOT confirmed is
     * held by that group for ever, unless a quota and an age ({@link #LAST_POLICY}) bound it. Eviction by quota goes down to nine
     * tenths of it, so the quota is larger than what was promised, and retention larger than the quota, as Pulsar demands.
     * Retention comes before the quota, which would else be measured by the namespace's.
     */
    private void retain(TopicSpec spec) {
        long minutes = minutes(spec);
        long megabytes = -1;
        if (spec.retentionBytes() >= 0) {
            long bytes = Math.max(MEBIBYTE, spec.retentionBytes() / spec.partitions());
            long quota = bytes * 10 / 9 + 1;
            megabytes = quota / MEBIBYTE + 1;
            retention(spec.name(), minutes, megabytes);
            setting(
                    spec.name(),
                    "backlogQuota?backlogQuotaType=destination_storage",
                    "{\"limitSize\":" + quota + ",\"policy\":\"consumer_backlog_eviction\"}");
        } else {
            retention(spec.name(), minutes, megabytes);
        }
    }

    private void retention(String topic, long minutes, long megabytes) {
        setting(
                topic,
                RETENTION,
                "{\"retentionTimeInMinutes\":" + Math.min(Integer.MAX_VALUE, minutes) + ",\"retentionSizeInMB\":"
                        + Math.min(Integer.MAX_VALUE, megabytes) + "}");
    }

    private void setting(String topic, String path, String json) {
        String what = "set " + path.replaceAll("\\?.*", "") + " of topic '" + topic + "'";
        admin.fine(admin.ask("POST", admin.topic(topic) + "/" + path, json, what), what);
    }

    /** A topic with more replicas than there are bookies would be made, and then refuse every message. */
    private void requireReplicas(TopicSpec spec) {
        if (spec.replicas() <= 1) {
            return;
        }
        PulsarAdmin.Answer answer = admin.get("/admin/v2/bookies/all", "tell its bookies");
        if (answer.isForbidden()) {
            // A super user is told alone; who may make topics need not be one.
            return;
        }
        int bookies =
                admin.fine(answer, "tell its bookies").json().path("bookies").size();
        if (spec.replicas() > bookies) {
            throw new UserException(
                    "topic '" + spec.name() + "' cannot have " + spec.replicas() + " replicas: Pulsar at "
                            + options.admin() + " has " + bookies + " bookie" + (bookies == 1 ? "" : "s"));
        }
    }

    void delete(String topic) {
        String what = "delete topic '" + topic + "'";
        long deadline = System.nanoTime()
                + Duration.ofSeconds(PulsarClients.BOUND_SECONDS).toNanos();
        while (partitions(topic) > 0) {
            PulsarAdmin.Answer answer = admin.ask("DELETE", admin.topic(topic) + "/partitions?force=true", null, what);
            if (answer.isFine() || answer.status() == 404) {
                return;
            }
            // Without the right no try helps; else a reader or publisher is just closing, or an earlier try is at it.
            if (answer.isForbidden() || System.nanoTime() > deadline) {
                admin.fine(answer, what);
            }
            admin.pause();
        }
    }

    void addPartitions(String topic, int partitions) {
        int there = existing(topic);
        if (partitions < there) {
            throw new UserException("topic '" + topic + "' has " + there + " partitions; Pulsar cannot take any away");
        }
        if (partitions > there) {
            String what = "add partitions to topic '" + topic + "'";
            admin.fine(admin.ask("POST", admin.topic(topic) + "/partitions", Integer.toString(partitions), what), what);
        }
    }

    /** 0 when it is not there. */
    int partitions(String topic) {
        return admin.find(admin.topic(topic) + "/partitions", "describe topic '" + topic + "'")
                .filter(found -> !found.path("deleted").asBoolean())
                .map(found -> found.path("partitions").asInt())
                .orElse(0);
    }

    int existing(String topic) {
        int partitions = partitions(topic);
        if (partitions == 0) {
            throw new UserException("there is no topic '" + topic + "' (of partitions) in namespace "
                    + options.namespace() + " at " + options.address());
        }
        return partitions;
    }

    void deleteSubscription(String topic, String name) {
        String what = "delete reader group '" + name + "' of topic '" + topic + "'";
        for (int partition = 0, count = partitions(topic); partition < count; partition++) {
            PulsarAdmin.Answer answer = admin.ask(
                    "DELETE",
                    admin.partition(topic, partition) + "/subscription/" + PulsarAdmin.encoded(name) + "?force=true",
                    null,
                    what);
            if (answer.status() != 404) {
                admin.fine(answer, what);
            }
        }
    }

    /** Behind the newest record; {@link PulsarPositions#NOTHING} where there is none. */
    Position end(String topic, int partition) {
        JsonNode last = admin.read(
                admin.partition(topic, partition) + "/lastMessageId",
                "tell the end of partition " + partition + " of topic '" + topic + "'");
        long ledger = last.path("ledgerId").asLong();
        long entry = last.path("entryId").asLong();
        if (entry < 0) {
            return PulsarPositions.NOTHING;
        }
        return PulsarPositions.of(
                ledger, entry, Math.max(0, last.path("batchIndex").asInt(0)) + 1);
    }

    /** Fails with a sentence when retention has removed what stood at {@code position}. */
    void requireStillThere(String topic, int partition, Position position) {
        if (position.equals(PulsarPositions.NOTHING)) {
            return;
        }
        JsonNode ledgers = admin.read(
                        admin.partition(topic, partition) + "/internalStats",
                        "describe partition " + partition + " of topic '" + topic + "'")
                .path("ledgers");
        if (ledgers.isEmpty() || ledgers.get(0).path("ledgerId").asLong() <= PulsarPositions.ledger(position)) {
            return;
        }
        throw new EnvironmentException("position " + position + " of topic '" + topic + "', partition " + partition
                + ", is no longer there: retention has removed it");
    }
}
