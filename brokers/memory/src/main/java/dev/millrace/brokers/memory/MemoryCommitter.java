package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.Wire;
import dev.millrace.connectors.api.reader.PartitionSplit;
import dev.millrace.connectors.api.reader.PositionCommitter;
import dev.millrace.core.reading.Position;
import java.util.Map;

/** Tells the server how far a reader group has come. */
final class MemoryCommitter implements PositionCommitter {
    private final String topic;
    private final String group;
    private final Control control;

    MemoryCommitter(String address, String topic, String group) {
        this.topic = topic;
        this.group = group;
        this.control = new Control(address);
    }

    @Override
    public void commit(Map<String, Position> lastRead) {
        control.ask(
                Wire.COMMIT,
                frame -> {
                    frame.text(topic).text(group).number(lastRead.size());
                    lastRead.forEach((splitId, position) -> frame.number(PartitionSplit.partition(splitId))
                            .number(position.major())
                            .number(position.minor() + 1));
                },
                answer -> answer);
    }

    @Override
    public void close() {
        control.close();
    }
}
