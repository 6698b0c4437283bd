package dev.millrace.connectors.api.broker;

import dev.millrace.core.reading.Position;
import java.io.Serializable;
import java.util.Map;

/** Where reading begins when there is no checkpoint. */
public sealed interface StartFrom extends Serializable {

    /** At the oldest record that is still there. */
    record Earliest() implements StartFrom {}

    /** Behind the newest record at the time of the start. */
    record Latest() implements StartFrom {}

    /** At the given record of each partition, inclusive; partitions that are not named begin at their oldest. */
    record At(Map<Integer, Position> positions) implements StartFrom {
        public At {
            positions = Map.copyOf(positions);
        }
    }
}
