package dev.millrace.perf.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.Position;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PositionTextTest {
    @Test
    void positionsByPartitionAreOneWordAndBack() {
        Map<Integer, Position> positions =
                Map.of(1, new Position(0, 4), 0, new Position(12, 17), 2, new Position(3, -1));
        assertThat(PositionText.of(positions)).isEqualTo("0=12:17,1=0:4,2=3:-1");
        assertThat(PositionText.parse("0=12:17,1=0:4,2=3:-1")).isEqualTo(positions);
        assertThat(PositionText.parse(PositionText.of(Map.of()))).isEmpty();
    }
}
