package dev.millrace.perf.burst;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowDigestsTest {

    private static RowDigests of(String... rows) {
        RowDigests digests = new RowDigests();
        for (String row : rows) {
            byte[] bytes = ("before" + row + "behind").getBytes(StandardCharsets.UTF_8);
            digests.add(bytes, 6, bytes.length - 6);
        }
        return digests;
    }

    @Test
    void theSameRowsInAnotherOrderDoNotDiffer() {
        assertThat(of("a", "b", "c").against(of("c", "a", "b"))).isEqualTo(new RowDigests.Difference(0, 0, 0));
    }

    @Test
    void eachKindOfDifferenceIsCounted() {
        // c is missing, x and y are surplus, a is there twice too often and x once more.
        assertThat(of("a", "a", "a", "b", "x", "x", "y").against(of("a", "b", "c")))
                .isEqualTo(new RowDigests.Difference(1, 2, 3));
        assertThat(of().against(of("a", "b"))).isEqualTo(new RowDigests.Difference(2, 0, 0));
        assertThat(of("a", "b").against(of())).isEqualTo(new RowDigests.Difference(0, 2, 0));
    }

    @Test
    void aRowThatIsMissingIsFoundAmongMoreThanABlockOfThem() {
        String[] rows = IntStream.range(0, 50_000).mapToObj(Integer::toString).toArray(String[]::new);
        RowDigests all = of(rows);
        assertThat(all.count()).isEqualTo(50_000);
        String[] other = rows.clone();
        other[31_000] = "other";
        assertThat(of(other).against(all)).isEqualTo(new RowDigests.Difference(1, 1, 0));
    }
}
