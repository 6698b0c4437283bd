package dev.millrace.brokers.pulsar;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * How many messages a reader group has not confirmed. The broker counts entries, which are batches; with the index that it adds to
 * each entry (AppendIndexMetadataInterceptor) messages are counted exactly, without it they are estimated from the newest batch.
 */
final class PulsarLag {
    private final PulsarAdmin admin;

    PulsarLag(PulsarAdmin admin) {
        this.admin = admin;
    }

    /** Of one partition; all that are there for a group that never confirmed. */
    long of(String topic, int partition, String group) {
        String path = admin.partition(topic, partition);
        String what = "tell the lag of partition " + partition + " of topic '" + topic + "'";
        PulsarAdmin.Answer newest = admin.get(path + "/examinemessage?initialPosition=latest&messagePosition=1", what);
        // 412: there is no message.
        if (newest.status() == 412) {
            return 0;
        }
        admin.fine(newest, what);
        JsonNode stats = admin.read(path + "/internalStats", what);
        String confirmed =
                stats.path("cursors").path(group).path("markDeletePosition").asText("");
        if (newest.index() == null) {
            return entriesBehind(stats, confirmed) * count(newest);
        }
        PulsarAdmin.Answer oldest =
                admin.fine(admin.get(path + "/examinemessage?initialPosition=earliest&messagePosition=1", what), what);
        long begin = Long.parseLong(oldest.index()) - count(oldest);
        return Long.parseLong(newest.index()) - Math.max(begin, index(path, confirmed, begin, what));
    }

    /** The index of the last message of a confirmed entry; {@code otherwise} when the entry is not there any more. */
    private long index(String path, String confirmed, long otherwise, String what) {
        int colon = confirmed.indexOf(':');
        if (colon < 0 || confirmed.endsWith(":-1")) {
            return otherwise;
        }
        PulsarAdmin.Answer entry = admin.get(
                path + "/ledger/" + confirmed.substring(0, colon) + "/entry/" + confirmed.substring(colon + 1), what);
        return entry.isFine() && entry.index() != null ? Long.parseLong(entry.index()) : otherwise;
    }

    private static long count(PulsarAdmin.Answer entry) {
        return entry.messagesInBatch() == null ? 1 : Long.parseLong(entry.messagesInBatch());
    }

    private static long entriesBehind(JsonNode stats, String confirmed) {
        int colon = confirmed.indexOf(':');
        long ledger = colon < 0 ? -1 : Long.parseLong(confirmed.substring(0, colon));
        long entry = colon < 0 ? -1 : Long.parseLong(confirmed.substring(colon + 1));
        long behind = 0;
        JsonNode ledgers = stats.path("ledgers");
        for (int i = 0; i < ledgers.size(); i++) {
            long id = ledgers.get(i).path("ledgerId").asLong();
            boolean current = i == ledgers.size() - 1;
            long entries = current
                    ? stats.path("currentLedgerEntries").asLong()
                    : ledgers.get(i).path("entries").asLong();
            if (id > ledger) {
                behind += entries;
            } else if (id == ledger) {
                behind += entries - entry - 1;
            }
        }
        return Math.max(0, behind);
    }
}
