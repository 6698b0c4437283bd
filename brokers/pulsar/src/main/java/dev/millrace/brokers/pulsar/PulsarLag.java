package dev.millrace.brokers.pulsar;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

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
        if (saysEmpty(newest)) {
            return 0;
        }
        admin.fine(newest, what);
        JsonNode stats = admin.read(path + "/internalStats", what);
        List<Ledger> ledgers = Ledger.of(stats);
        String confirmed = lastConfirmed(
                ledgers,
                PulsarAdmin.cursor(stats, group).path("markDeletePosition").asText(""));
        long estimate = entriesBehind(ledgers, confirmed) * count(newest);
        if (newest.index() == null) {
            return estimate;
        }
        PulsarAdmin.Answer oldest =
                admin.get(path + "/examinemessage?initialPosition=earliest&messagePosition=1", what);
        if (saysEmpty(oldest)) {
            return 0;
        }
        // One that was written before the broker counted has no index.
        if (admin.fine(oldest, what).index() == null) {
            return estimate;
        }
        long begin = Long.parseLong(oldest.index()) - count(oldest);
        // The group may confirm what came after the newest one that was told.
        return Math.max(0, Long.parseLong(newest.index()) - Math.max(begin, index(path, confirmed, begin, what)));
    }

    /** Whether there is no message; other refusals have the same status. */
    static boolean saysEmpty(PulsarAdmin.Answer examined) {
        return examined.status() == 412 && examined.reason().contains("total message is zero");
    }

    /**
     * The newest entry that is confirmed; empty for none that is there. A cursor that stands before the first entry of a ledger
     * has everything confirmed that is in earlier ones.
     */
    static String lastConfirmed(List<Ledger> ledgers, String mark) {
        if (!mark.endsWith(":-1")) {
            return mark;
        }
        long ledger = Long.parseLong(mark.substring(0, mark.indexOf(':')));
        String last = "";
        for (Ledger earlier : ledgers) {
            if (earlier.id() < ledger && earlier.entries() > 0) {
                last = earlier.id() + ":" + (earlier.entries() - 1);
            }
        }
        return last;
    }

    /** The index of the last message of a confirmed entry; {@code otherwise} when the entry is not there any more. */
    private long index(String path, String confirmed, long otherwise, String what) {
        int colon = confirmed.indexOf(':');
        if (colon < 0) {
            return otherwise;
        }
        PulsarAdmin.Answer entry = admin.get(
                path + "/ledger/" + confirmed.substring(0, colon) + "/entry/" + confirmed.substring(colon + 1), what);
        return entry.isFine() && entry.index() != null ? Long.parseLong(entry.index()) : otherwise;
    }

    private static long count(PulsarAdmin.Answer entry) {
        return entry.messagesInBatch() == null ? 1 : Long.parseLong(entry.messagesInBatch());
    }

    static long entriesBehind(List<Ledger> ledgers, String confirmed) {
        int colon = confirmed.indexOf(':');
        long ledger = colon < 0 ? -1 : Long.parseLong(confirmed.substring(0, colon));
        long entry = colon < 0 ? -1 : Long.parseLong(confirmed.substring(colon + 1));
        long behind = 0;
        for (Ledger each : ledgers) {
            if (each.id() > ledger) {
                behind += each.entries();
            } else if (each.id() == ledger) {
                behind += each.entries() - entry - 1;
            }
        }
        return Math.max(0, behind);
    }
}
