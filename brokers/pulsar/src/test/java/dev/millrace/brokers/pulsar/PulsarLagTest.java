package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is made of the broker's answers; the contract counts the lag of a real one. */
class PulsarLagTest {
    private static final List<Ledger> LEDGERS = List.of(new Ledger(3, 10), new Ledger(5, 0), new Ledger(8, 4));

    @Test
    void aCursorBeforeALedgerHasConfirmedTheEarlierOnes() {
        assertThat(PulsarLag.lastConfirmed(LEDGERS, "8:-1")).isEqualTo("3:9");
        assertThat(PulsarLag.lastConfirmed(LEDGERS, "5:-1")).isEqualTo("3:9");
        assertThat(PulsarLag.lastConfirmed(LEDGERS, "9:-1")).isEqualTo("8:3");
        assertThat(PulsarLag.lastConfirmed(LEDGERS, "8:2")).isEqualTo("8:2");
    }

    @Test
    void aCursorBeforeAllThatIsThereHasConfirmedNothing() {
        assertThat(PulsarLag.lastConfirmed(LEDGERS, "3:-1")).isEmpty();
        assertThat(PulsarLag.lastConfirmed(LEDGERS, "")).isEmpty();
    }

    @Test
    void entriesBehindTheConfirmedOneAreCounted() {
        assertThat(PulsarLag.entriesBehind(LEDGERS, "")).isEqualTo(14);
        assertThat(PulsarLag.entriesBehind(LEDGERS, "3:9")).isEqualTo(4);
        assertThat(PulsarLag.entriesBehind(LEDGERS, "8:1")).isEqualTo(2);
        assertThat(PulsarLag.entriesBehind(LEDGERS, "8:3")).isZero();
    }

    @Test
    void ofTheRefusalsWithOneStatusOnlyOneSaysThatThereIsNoMessage() {
        PulsarAdmin.Answer empty = refusal("Could not examine messages due to the total message is zero");
        assertThat(PulsarLag.saysEmpty(empty)).isTrue();
        assertThat(empty.isWithoutOwner()).isFalse();
        PulsarAdmin.Answer noOwner = refusal("Failed to find ownership for topic:persistent://public/default/readings");
        assertThat(PulsarLag.saysEmpty(noOwner)).isFalse();
        assertThat(noOwner.isWithoutOwner()).isTrue();
    }

    private static PulsarAdmin.Answer refusal(String reason) {
        return new PulsarAdmin.Answer(412, "{\"reason\":\"" + reason + "\"}", null, null);
    }
}
