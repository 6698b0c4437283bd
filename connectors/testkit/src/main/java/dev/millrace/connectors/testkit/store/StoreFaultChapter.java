package dev.millrace.connectors.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.testkit.store.HttpFaults.Fault;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The sentences about the way to the server: what goes lost on it, and a server that is busy. */
abstract class StoreFaultChapter extends StoreServerChapter {
    private static final Fault ANSWER_LOST = new Fault.AnswerLost();
    private static final Fault REQUEST_LOST = new Fault.RequestLost();

    /** Between {@link #spoilt} and the server. */
    protected HttpFaults faults;

    /** A client whose way to the server is bad. */
    protected StoreClient spoilt;

    @BeforeEach
    void between() {
        faults = new HttpFaults(local.url(), isInsert());
        spoilt = store().connect(local.options().with("url", faults.url()));
    }

    @AfterEach
    void removeFromBetween() {
        spoilt.close();
        faults.close();
    }

    @Test
    @DisplayName("an insert whose answer is lost on the way, again and again, is stored once")
    void answersLost() {
        faults.next(ANSWER_LOST, ANSWER_LOST, ANSWER_LOST);
        spoilt.insert(Blocks.block(59_999, Blocks.windows(100, MINUTE)));
        faults.next(ANSWER_LOST);
        spoilt.insert(Blocks.deadLetters(List.of(Blocks.deadLetter(0, 1, 10))));
        assertThat(faults.waiting()).isZero();
        assertThat(storedRows()).isEqualTo(100);
        assertThat(client.extent().windows()).isEqualTo(100);
        assertThat(client.extent().completeTo()).isEqualTo(60_000);
        assertThat(deadLetters()).hasSize(1);
    }

    @Test
    @DisplayName("an insert that is lost before it reaches the server is sent again")
    void requestsLost() {
        faults.next(REQUEST_LOST, REQUEST_LOST, ANSWER_LOST, REQUEST_LOST);
        spoilt.insert(Blocks.block(59_999, Blocks.windows(100, MINUTE)));
        assertThat(faults.waiting()).isZero();
        assertThat(storedRows()).isEqualTo(100);
        assertThat(windows())
                .containsExactlyElementsOf(Blocks.windows(100, MINUTE).stream()
                        .sorted(java.util.Comparator.comparing(row -> row.deviceId()))
                        .toList());
    }

    @Test
    @DisplayName("a server that is busy or slow is waited for, and the block is stored once")
    void busyAndSlow() {
        Fault busy = new Fault.Answer(503, 0, "busy");
        faults.next(busy, busy, new Fault.Late(Duration.ofSeconds(2)));
        spoilt.insert(Blocks.block(1, Blocks.windows(10, MINUTE)));
        assertThat(faults.waiting()).isZero();
        assertThat(storedRows()).isEqualTo(10);
    }

    @Test
    @DisplayName("a block that is refused fails at once, is not sent again, and leaves nothing")
    void refusedOnce() {
        StoreBlock good = Blocks.block(1, Blocks.windows(10, MINUTE));
        StoreBlock bad = new StoreBlock(good.table(), good.token(), 0, 1, 1, 11, good.bytes());
        assertThatThrownBy(() -> spoilt.insert(bad)).isInstanceOf(IllegalArgumentException.class);
        assertThat(faults.inserts()).hasSizeLessThanOrEqualTo(1);
        assertThat(storedRows()).isZero();
    }
}
