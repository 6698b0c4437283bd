package dev.millrace.brokers.pulsar;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** One ledger of a partition and how many entries it holds. */
record Ledger(long id, long entries) {

    /** Those that a partition's internal statistics name, the oldest first. */
    static List<Ledger> of(JsonNode stats) {
        JsonNode named = stats.path("ledgers");
        List<Ledger> ledgers = new ArrayList<>();
        for (int i = 0; i < named.size(); i++) {
            // The last one is still written to: its entries are counted elsewhere.
            long entries = i == named.size() - 1
                    ? stats.path("currentLedgerEntries").asLong()
                    : named.get(i).path("entries").asLong();
            ledgers.add(new Ledger(named.get(i).path("ledgerId").asLong(), entries));
        }
        return ledgers;
    }
}
