package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FlowWindowTest {
    private static final int MOST = 40_000;

    private final FlowWindow window = new FlowWindow(MOST);
    private long disconnectedMillis;

    FlowWindowTest() {
        window.connected(() -> disconnectedMillis);
    }

    @Test
    void nothingIsGrantedBeforeASizeWasSeen() {
        assertThat(window.grant()).isZero();
    }

    @Test
    void aStallBeforeASizeWasSeenGrantsTheFirstPermitsOnce() {
        window.stalled();
        assertThat(window.grant()).isEqualTo(FlowWindow.FIRST_PERMITS);
        window.stalled();
        assertThat(window.grant()).isZero();
    }

    @Test
    void smallMessagesOpenItToTheMost() {
        window.received(1_000, 100_000);
        window.released(1_000);
        // 64 were granted by the consumer itself and 1,000 came: the broker sends whole batches.
        assertThat(window.grant()).isEqualTo(MOST - 64 + 1_000);
        assertThat(window.grant()).isZero();
    }

    @Test
    void largeMessagesNeverGetMoreThanTheFirstPermits() {
        for (int i = 0; i < 64; i++) {
            window.received(1, 2 << 20);
        }
        assertThat(window.grant()).as("while all are held").isZero();
        window.released(64);
        assertThat(window.grant()).isEqualTo(64);
    }

    @Test
    void whatIsHeldIsNotGrantedAgain() {
        window.received(1_000, 100_000);
        window.grant();
        for (int i = 0; i < 40; i++) {
            window.received(1_000, 100_000);
        }
        assertThat(window.grant()).isZero();
        window.released(20_000);
        assertThat(window.grant()).isEqualTo(20_000);
    }

    @Test
    void afterAReconnectAndAfterAStallTheBrokerGetsPermitsAnew() {
        window.received(1_000, 100_000);
        window.released(1_000);
        window.grant();
        disconnectedMillis = 1;
        assertThat(window.grant()).as("the old connection may be there still").isZero();
        window.received(1_000, 100_000);
        window.released(1_000);
        assertThat(window.grant()).isEqualTo(MOST - 64 + 1_000);
        window.stalled();
        assertThat(window.grant()).isEqualTo(MOST);
    }

    @Test
    void whatComesOverANewConnectionBeforeTheNextGrantIsOfItsFirstPermits() {
        window.received(1_000, 100_000);
        window.released(1_000);
        window.grant();
        disconnectedMillis = 1;
        for (int i = 0; i < 100; i++) {
            window.received(1_000, 100_000);
            window.released(1_000);
        }
        assertThat(window.grant())
                .as("the broker sends whole entries, so it has sent more than it was permitted")
                .isEqualTo(MOST - 64 + 100_000);
    }

    @Test
    void aNewConnectionOfWhichNothingComesGetsPermitsAfterAStall() {
        window.received(1_000, 100_000);
        window.released(1_000);
        window.grant();
        disconnectedMillis = 1;
        window.stalled();
        assertThat(window.grant()).isEqualTo(MOST);
    }

    @Test
    void aBrokerThatStaysSilentIsNotGrantedMoreAndMore() {
        window.received(1_000, 100_000);
        window.released(1_000);
        window.grant();
        window.stalled();
        assertThat(window.grant()).isEqualTo(MOST);
        window.stalled();
        assertThat(window.grant()).isZero();
        window.received(1_000, 100_000);
        window.released(1_000);
        window.stalled();
        assertThat(window.grant()).as("something came in between").isEqualTo(MOST);
    }
}
