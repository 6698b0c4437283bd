package dev.millrace.brokers.pulsar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.api.reader.PartitionSplit;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import java.util.List;
import java.util.Optional;

/**
 * Finds out whether the broker has dropped what a reader group had still to read: by retention, by a quota, by its age, as
 * damaged, or with the topic. Pulsar moves the group's cursor on and says nothing, so the ledgers that are left and the cursor
 * are looked at. Thread-safe.
 */
final class GroupCursor {
    private final PulsarAdmin admin;
    private final PulsarTopics topics;
    private final String topic;
    private final String group;

    GroupCursor(PulsarOptions options, String topic, String group) {
        this.admin = new PulsarAdmin(options);
        this.topics = new PulsarTopics(options, admin);
        this.topic = topic;
        this.group = group;
    }

    private JsonNode stats(int partition) {
        return admin.read(
                admin.partition(topic, partition) + "/internalStats",
                "describe partition " + partition + " of topic '" + topic + "'");
    }

    /**
     * Fails with a sentence when records at or behind the split's start may be gone. Asked before a seek moves the cursor. Where the
     * broker had counted up to the start, the first entry to come tells, and not the cursor: a ledger that was read to its end goes when
     * the partition has been quiet for as long as the retention, and each seek behind it moves the cursor to the next ledger.
     */
    void requireStart(PartitionSplit split) {
        int partition = split.partition();
        Position start = split.start();
        JsonNode stats = stats(partition);
        List<Ledger> ledgers = Ledger.of(stats);
        long ledger = PulsarPositions.ledger(start);
        if (!ledgers.isEmpty() && ledger > ledgers.get(ledgers.size() - 1).id()) {
            throw anew(partition, start);
        }
        if (split.indexBefore() != PayloadChunk.NOT_COUNTED) {
            return;
        }
        boolean there = entries(ledgers, ledger) >= 0 || total(stats) == 0;
        // Everything up to the cursor was confirmed by this group, so nothing was dropped unread before it.
        if (!there && !confirmed(stats).isAtOrBefore(ledger, PulsarPositions.entry(start))) {
            throw gone(partition, ledger, PulsarPositions.entry(start));
        }
    }

    /** Fails with a sentence when the broker has dropped entries within the gap. */
    void requireNothingIn(Gap gap, int partition) {
        requireNothingIn(gap, partition, stats(partition));
    }

    /** @param stats the partition's internal statistics */
    void requireNothingIn(Gap gap, int partition, JsonNode stats) {
        Mark confirmed = confirmed(stats);
        boolean jumped = !confirmed.isAtOrBefore(gap.fromLedger(), gap.fromEntry());
        if (jumped && !isHarmless(gap, Ledger.of(stats), confirmed)) {
            throw gone(partition, gap.fromLedger(), gap.fromEntry() + 1);
        }
        String holes = PulsarAdmin.cursor(stats, group)
                .path("individuallyDeletedMessages")
                .asText("[]");
        if (holes.length() > 2) {
            throw new EnvironmentException("topic '" + topic + "', partition " + partition + ": entries within " + holes
                    + " were set aside: they came damaged (their checksum is wrong), or belong to transactions or"
                    + " replicated subscriptions, which are not read; nothing is skipped silently");
        }
    }

    /**
     * Whether the cursor has only moved from the end of the gap's first ledger to the beginning of its last. The broker moves it
     * there, too, when it removes a ledger that was not read: how far one reached that is gone, only the count of messages tells.
     */
    private static boolean isHarmless(Gap gap, List<Ledger> ledgers, Mark confirmed) {
        long entries = entries(ledgers, gap.fromLedger());
        boolean isReadToItsEnd = entries < 0 ? !gap.isProven() : gap.fromEntry() >= entries - 1;
        return isReadToItsEnd
                && gap.toEntry() == 0
                && confirmed.entry() == -1
                && confirmed.ledger() <= gap.toLedger()
                && !hasEntriesWithin(gap, ledgers);
    }

    private static boolean hasEntriesWithin(Gap gap, List<Ledger> ledgers) {
        return ledgers.stream()
                .anyMatch(ledger ->
                        ledger.id() > gap.fromLedger() && ledger.id() < gap.toLedger() && ledger.entries() > 0);
    }

    /**
     * Why nothing more will come when topic or reader group were deleted; empty while both are there. A topic that was made anew
     * has no such group: the client has given its consumer up by then.
     */
    Optional<EnvironmentException> deletion(int partition) {
        if (topics.partitions(topic) > partition && hasGroup(stats(partition))) {
            return Optional.empty();
        }
        return Optional.of(new EnvironmentException("topic '" + topic + "', partition " + partition
                + ", was deleted or made anew while reader group '" + group
                + "' read it; start without the checkpoint when the topic is there again"));
    }

    /** A group has a cursor from its first reader on. */
    private boolean hasGroup(JsonNode stats) {
        return !stats.path("cursors").isObject()
                || !PulsarAdmin.cursor(stats, group).isMissingNode();
    }

    /** For a partition that ends before what was read of it: ledgers are numbered upwards in a cluster, and entries are appended. */
    EnvironmentException anew(int partition, Position behind) {
        return new EnvironmentException("topic '" + topic + "', partition " + partition + ", ends before entry "
                + PulsarPositions.ledger(behind) + ":" + PulsarPositions.entry(behind)
                + ", which reader group '" + group
                + "' has read: the topic was made anew, on a cluster that was, too, or the broker has lost what it had stored."
                + " Nothing is skipped silently: start without the checkpoint");
    }

    /** For a split that has come to its end without its stop: what stood before the stop was dropped. */
    EnvironmentException goneBeforeStop(int partition, Position last) {
        return gone(partition, PulsarPositions.ledger(last), PulsarPositions.entry(last) + 1);
    }

    private EnvironmentException gone(int partition, long ledger, long entry) {
        return new EnvironmentException(
                "entry " + ledger + ":" + entry + " of topic '" + topic + "', partition " + partition
                        + ", is no longer there: the retention has removed it, or the topic was made anew (or it belongs to"
                        + " transactions or replicated subscriptions, which are not read). Nothing is skipped silently: start"
                        + " without the checkpoint, and give the topic a longer retention");
    }

    /** How many entries the ledger holds, -1 when there is no such ledger. */
    private static long entries(List<Ledger> ledgers, long id) {
        for (Ledger ledger : ledgers) {
            if (ledger.id() == id) {
                return ledger.entries();
            }
        }
        return -1;
    }

    private static long total(JsonNode stats) {
        return stats.path("numberOfEntries").asLong();
    }

    private Mark confirmed(JsonNode stats) {
        String text =
                PulsarAdmin.cursor(stats, group).path("markDeletePosition").asText("");
        int colon = text.indexOf(':');
        return colon < 0
                ? new Mark(Long.MAX_VALUE, -1)
                : new Mark(Long.parseLong(text.substring(0, colon)), Long.parseLong(text.substring(colon + 1)));
    }

    /** Everything up to it, inclusive, is confirmed. */
    private record Mark(long ledger, long entry) {
        boolean isAtOrBefore(long otherLedger, long otherEntry) {
            return ledger < otherLedger || ledger == otherLedger && entry <= otherEntry;
        }
    }
}
