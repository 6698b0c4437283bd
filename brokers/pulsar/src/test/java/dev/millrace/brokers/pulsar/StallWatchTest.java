package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallWatchTest {
    private final StallWatch watch = new StallWatch();

    @Test
    void aBrokerThatHasMoreAndSendsNothingStandsAtTheThirdAnswer() {
        assertThat(answers(7, 7, false)).isFalse();
        assertThat(answers(7, 7, false)).isFalse();
        assertThat(answers(7, 7, false)).isTrue();
    }

    @Test
    void afterAStallItIsCountedAnew() {
        for (int stall = 0; stall < 2; stall++) {
            assertThat(answers(7, 7, false)).isFalse();
            assertThat(answers(7, 7, false)).isFalse();
            assertThat(answers(7, 7, false)).isTrue();
        }
    }

    @Test
    void whatComesBetweenTwoQuestionsIsASignOfLife() {
        for (int arrivals = 1; arrivals < 20; arrivals++) {
            assertThat(answers(arrivals, arrivals, false)).isFalse();
        }
    }

    @Test
    void whatComesBeforeTheAnswerIsASignOfLife() {
        answers(7, 7, false);
        answers(7, 7, false);
        assertThat(answers(7, 8, false)).isFalse();
        assertThat(answers(8, 8, false)).isFalse();
        assertThat(answers(8, 8, false)).isFalse();
        assertThat(answers(8, 8, false)).isTrue();
    }

    @Test
    void aBrokerThatHasSentAllDoesNotStand() {
        for (int i = 0; i < 20; i++) {
            assertThat(answers(7, 7, true)).isFalse();
        }
        answers(7, 7, false);
        answers(7, 7, false);
        assertThat(answers(7, 7, true)).isFalse();
        assertThat(answers(7, 7, false)).isFalse();
    }

    private boolean answers(long arrivalsWhenAsked, long arrivalsThen, boolean atEnd) {
        watch.asked(arrivalsWhenAsked);
        return watch.stalled(arrivalsThen, atEnd);
    }
}
