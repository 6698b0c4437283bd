package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which gaps are a loss, by what the broker tells of ledgers and cursor. {@link PulsarSourceTest} asks a real one. */
class GroupCursorTest {
    private final GroupCursor cursor =
            new GroupCursor(PulsarOptions.bind(Options.of(Map.of("address", "127.0.0.1:6650"))), "readings", "group");

    @Test
    void aCursorThatMovedFromTheEndOfOneLedgerToTheNextHasSkippedNothing() {
        harmless(new Gap(1, 9, 2, 0, false), "2:-1", new Ledger(1, 10), new Ledger(2, 5));
        harmless(new Gap(1, 9, 2, 0, true), "2:-1", new Ledger(1, 10), new Ledger(2, 5));
        lost(new Gap(1, 8, 2, 0, false), "2:-1", new Ledger(1, 10), new Ledger(2, 5));
    }

    @Test
    void aLedgerThatIsGoneExcusesAGapUnlessTheMessagesWereCounted() {
        harmless(new Gap(1, 4, 2, 0, false), "2:-1", new Ledger(2, 5));
        lost(new Gap(1, 4, 2, 0, true), "2:-1", new Ledger(2, 5));
    }

    @Test
    void aLedgerWithEntriesWithinTheGapWasSkipped() {
        lost(new Gap(1, 9, 3, 0, false), "3:-1", new Ledger(2, 5), new Ledger(3, 1));
        harmless(new Gap(1, 9, 3, 0, false), "3:-1", new Ledger(2, 0), new Ledger(3, 1));
    }

    @Test
    void whatTheCursorHasNotPassedIsNotLost() {
        harmless(new Gap(1, 4, 1, 6, true), "1:4", new Ledger(1, 10));
        lost(new Gap(1, 4, 1, 6, true), "1:5", new Ledger(1, 10));
    }

    @Test
    void aGroupIsFoundByItsEncodedName() {
        GroupCursor etl = new GroupCursor(
                PulsarOptions.bind(Options.of(Map.of("address", "127.0.0.1:6650"))), "readings", "team/etl: new");
        ObjectNode stats = (ObjectNode) stats("2:-1", new Ledger(1, 10), new Ledger(2, 5));
        ObjectNode cursors = (ObjectNode) stats.get("cursors");
        cursors.set("team%2Fetl%3A+new", cursors.remove("group"));
        assertThatCode(() -> etl.requireNothingIn(new Gap(1, 9, 2, 0, false), 0, stats))
                .doesNotThrowAnyException();
        ((ObjectNode) cursors.get("team%2Fetl%3A+new")).put("individuallyDeletedMessages", "[(2:0..2:1]]");
        assertThatThrownBy(() -> etl.requireNothingIn(new Gap(1, 9, 2, 0, false), 0, stats))
                .hasMessageContaining("were set aside");
    }

    private void harmless(Gap gap, String mark, Ledger... ledgers) {
        assertThatCode(() -> cursor.requireNothingIn(gap, 0, stats(mark, ledgers)))
                .as(gap.toString())
                .doesNotThrowAnyException();
    }

    private void lost(Gap gap, String mark, Ledger... ledgers) {
        String first = "entry " + gap.fromLedger() + ":" + (gap.fromEntry() + 1);
        assertThatThrownBy(() -> cursor.requireNothingIn(gap, 0, stats(mark, ledgers)))
                .as(gap.toString())
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(first + " of topic 'readings', partition 0")
                .hasMessageContaining("no longer there");
    }

    /** As the broker's internal statistics say it; the last ledger is the one that is written to. */
    private static JsonNode stats(String mark, Ledger... ledgers) {
        ObjectNode stats = JsonNodeFactory.instance.objectNode();
        ArrayNode all = stats.putArray("ledgers");
        for (Ledger ledger : ledgers) {
            all.addObject().put("ledgerId", ledger.id()).put("entries", ledger.entries());
        }
        stats.put("currentLedgerEntries", ledgers[ledgers.length - 1].entries());
        stats.putObject("cursors")
                .putObject("group")
                .put("markDeletePosition", mark)
                .put("individuallyDeletedMessages", "[]");
        return stats;
    }
}
