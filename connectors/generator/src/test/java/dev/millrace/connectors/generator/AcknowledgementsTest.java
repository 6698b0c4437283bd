package dev.millrace.connectors.generator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.audit.IndexRanges;
import dev.millrace.core.reading.Position;
import java.util.BitSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AcknowledgementsTest {
    private final Acknowledgements acknowledgements = new Acknowledgements();

    @Test
    void rangesAreWhatWasAcknowledgedInAnyOrder() {
        Random random = new Random(4);
        BitSet model = new BitSet();
        for (int k = 0; k < 400_000; k++) {
            int index = Math.max(0, k - random.nextInt(200_000));
            boolean news = acknowledgements.acknowledge(index, 0, new Position(0, k));
            assertThat(news).isEqualTo(!model.get(index));
            model.set(index);
            if (k % 50_000 == 0) {
                assertSame(model);
            }
        }
        assertSame(model);
        assertThat(acknowledgements.count()).isEqualTo(model.cardinality());
    }

    @Test
    void aLedgersRangesAreRestored() {
        IndexRanges ranges = IndexRanges.of(0, 1000, 1100, 1200, 70_000, 200_000);
        acknowledgements.restore(ranges, 200_010, Map.of(0, new Position(0, 5)));
        assertThat(acknowledgements.snapshot().acknowledged()).isEqualTo(ranges);
        assertThat(acknowledgements.count()).isEqualTo(ranges.count());
        assertThat(acknowledgements.open()).isEqualTo(IndexRanges.of(1000, 1100, 1200, 70_000, 200_000, 200_010));
        for (long i = 1000; i < 1100; i++) {
            acknowledgements.acknowledge(i, 0, new Position(0, i));
        }
        assertThat(acknowledgements.open()).isEqualTo(IndexRanges.of(1200, 70_000, 200_000, 200_010));
    }

    @Test
    void anOfferIsOpenUntilItIsAcknowledgedOrNotTaken() {
        acknowledgements.offering(0);
        assertThat(acknowledgements.open()).isEqualTo(IndexRanges.of(0, 1));
        acknowledgements.notOffered(0);
        assertThat(acknowledgements.open()).isEqualTo(IndexRanges.none());
        acknowledgements.offering(0);
        acknowledgements.acknowledge(0, 1, new Position(0, 7));
        assertThat(acknowledgements.open()).isEqualTo(IndexRanges.none());
    }

    @Test
    void positionsToReadBackFromAreThoseOfTheSnapshotBefore() {
        acknowledgements.acknowledge(0, 1, new Position(0, 7));
        assertThat(acknowledgements.snapshot().readBackFrom()).isEmpty();
        acknowledgements.acknowledge(1, 1, new Position(0, 9));
        acknowledgements.acknowledge(2, 1, new Position(0, 8));
        assertThat(acknowledgements.snapshot().readBackFrom()).isEqualTo(Map.of(1, new Position(0, 7)));
        assertThat(acknowledgements.snapshot().readBackFrom()).isEqualTo(Map.of(1, new Position(0, 9)));
    }

    @Test
    void positionsToReadBackFromStayBeforeAReadingWhoseReceiptTakesLong() {
        for (long index = 0; index < 3; index++) {
            acknowledgements.offering(index);
        }
        acknowledgements.acknowledge(0, 1, new Position(0, 7));
        acknowledgements.snapshot();
        acknowledgements.acknowledge(2, 1, new Position(0, 9));
        for (int snapshots = 0; snapshots < 5; snapshots++) {
            assertThat(acknowledgements.snapshot().readBackFrom())
                    .as("reading 1 may stand right behind the first")
                    .isIn(Map.of(), Map.of(1, new Position(0, 7)));
        }
        acknowledgements.acknowledge(1, 1, new Position(0, 8));
        acknowledgements.snapshot();
        assertThat(acknowledgements.snapshot().readBackFrom()).isEqualTo(Map.of(1, new Position(0, 9)));
    }

    @Test
    void sendingDoesNotRunAheadWithoutBound() {
        assertThat(acknowledgements.hasRoom(Acknowledgements.MAX_AHEAD - 1)).isTrue();
        assertThat(acknowledgements.hasRoom(Acknowledgements.MAX_AHEAD)).isFalse();
    }

    private void assertSame(BitSet model) {
        IndexRanges ranges = acknowledgements.snapshot().acknowledged();
        BitSet actual = new BitSet();
        for (int i = 0; i < ranges.size(); i++) {
            actual.set((int) ranges.from(i), (int) ranges.to(i));
        }
        assertThat(actual).isEqualTo(model);
    }
}
