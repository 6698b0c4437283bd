package dev.millrace.brokers.pulsar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;

/**
 * Finds out whether the broker has dropped what a reader group had still to read: by retention, by a quota, by its age, or as
 * damaged. Pulsar moves the group's cursor on and says nothing, so the ledgers that are left and the cursor are looked at.
 */
final class GroupCursor {
    private final PulsarAdmin admin;
    private final String topic;
    private final String group;

    GroupCursor(PulsarOptions options, String topic, String group) {
        this.admin = new PulsarAdmin(options);
        this.topic = topic;
        this.group = group;
    }

    private JsonNode stats(int partition) {
        return admin.read(
                admin.partition(topic, partition) + "/internalStats",
                "describe partition " + partition + " of topic '" + topic + "'");
    }

    /** Fails with a sentence when records at or behind {@code start} may be gone. Asked before a seek moves the cursor. */
    void requireStart(int partition, Position start) {
        JsonNode stats = stats(partition);
        long ledger = PulsarPositions.ledger(start);
        boolean there = entries(stats, ledger) >= 0 || total(stats) == 0;
        // Everything up to the cursor was confirmed by this group, so nothing was dropped unread before it.
        if (!there && !confirmed(stats).isAtOrBefore(ledger, PulsarPositions.entry(start))) {
            throw gone(partition, ledger, PulsarPositions.entry(start));
        }
    }

    /** Fails with a sentence when the broker has dropped entries within the gap. */
    void requireNothingIn(Gap gap, int partition) {
        JsonNode stats = stats(partition);
        Mark confirmed = confirmed(stats);
        boolean jumped = !confirmed.isAtOrBefore(gap.fromLedger(), gap.fromEntry()) && !isLast(stats, gap, confirmed);
        if (jumped) {
            throw gone(partition, gap.fromLedger(), gap.fromEntry() + 1);
        }
        String holes = stats.path("cursors")
                .path(group)
                .path("individuallyDeletedMessages")
                .asText("[]");
        if (holes.length() > 2) {
            throw new EnvironmentException(
                    "topic '" + topic + "', partition " + partition + ": entries within " + holes
                            + " came damaged (their checksum is wrong) and were set aside by the client; nothing is skipped silently");
        }
    }

    /** Whether the cursor has only moved from the end of the gap's first ledger to the beginning of its last. */
    private static boolean isLast(JsonNode stats, Gap gap, Mark confirmed) {
        long entries = entries(stats, gap.fromLedger());
        return confirmed.entry() == -1
                && confirmed.ledger() <= gap.toLedger()
                && gap.toEntry() == 0
                && (entries < 0 || gap.fromEntry() >= entries - 1);
    }

    private EnvironmentException gone(int partition, long ledger, long entry) {
        return new EnvironmentException(
                "entry " + ledger + ":" + entry + " of topic '" + topic + "', partition " + partition
                        + ", is no longer there: the retention has removed it, or the topic was made anew. Nothing is skipped"
                        + " silently: start without the checkpoint, and give the topic a longer retention");
    }

    /** How many entries the ledger holds, -1 when there is no such ledger. */
    private static long entries(JsonNode stats, long ledger) {
        JsonNode ledgers = stats.path("ledgers");
        for (int i = 0; i < ledgers.size(); i++) {
            if (ledgers.get(i).path("ledgerId").asLong() == ledger) {
                boolean current = i == ledgers.size() - 1;
                return current
                        ? stats.path("currentLedgerEntries").asLong()
                        : ledgers.get(i).path("entries").asLong();
            }
        }
        return -1;
    }

    private static long total(JsonNode stats) {
        return stats.path("numberOfEntries").asLong();
    }

    private Mark confirmed(JsonNode stats) {
        String text =
                stats.path("cursors").path(group).path("markDeletePosition").asText("");
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
