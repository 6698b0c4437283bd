package dev.millrace.perf.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BlocksTest {
    private static final List<String> SUBJECTS = List.of("a", "b", "c");

    @Test
    void everyBlockHasOneRunOfEverySubject() {
        assertThat(Blocks.of(SUBJECTS, 7, 3)).hasSize(7).allSatisfy(block -> assertThat(block)
                .containsExactlyInAnyOrderElementsOf(SUBJECTS));
    }

    @Test
    void everySecondBlockTurnsTheOneBeforeRound() {
        List<List<String>> blocks = Blocks.of(List.of("a", "b"), 6, 11);
        for (int block = 1; block < blocks.size(); block += 2) {
            assertThat(blocks.get(block))
                    .containsExactly(
                            blocks.get(block - 1).get(1), blocks.get(block - 1).get(0));
        }
    }

    @Test
    void theSeedDecidesTheOrderAndNothingElseDoes() {
        assertThat(Blocks.of(SUBJECTS, 10, 5)).isEqualTo(Blocks.of(SUBJECTS, 10, 5));
        long orders = LongStream.range(0, 50)
                .mapToObj(seed -> Blocks.of(SUBJECTS, 1, seed))
                .distinct()
                .count();
        assertThat(orders).isEqualTo(6);
    }
}
