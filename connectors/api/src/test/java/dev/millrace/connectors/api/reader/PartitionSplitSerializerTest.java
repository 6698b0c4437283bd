package dev.millrace.connectors.api.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionSplitSerializerTest {
    private static final PartitionSplit BEGUN =
            new PartitionSplit("readings", 3, null, new Position(9, 4)).behind(new Position(7, 11), 250);
    private static final PartitionSplit NEW = new PartitionSplit("readings", 4, null, null);

    private final PartitionSplitSerializer splits = new PartitionSplitSerializer();
    private final PartitionEnumeratorState.Serializer states = new PartitionEnumeratorState.Serializer();

    @Test
    void isReadBackAsItWas() throws IOException {
        assertThat(splits.deserialize(2, splits.serialize(BEGUN))).isEqualTo(BEGUN);
        PartitionEnumeratorState state = new PartitionEnumeratorState(5, List.of(NEW, BEGUN));
        assertThat(states.deserialize(2, states.serialize(state))).isEqualTo(state);
    }

    @Test
    void ofTheFirstVersionHasNoIndex() throws IOException {
        PartitionSplit expected =
                new PartitionSplit("readings", 3, BEGUN.start(), BEGUN.stop(), PayloadChunk.NOT_COUNTED);
        ByteArrayOutputStream split = new ByteArrayOutputStream();
        writeVersion1(BEGUN, new DataOutputStream(split));
        assertThat(splits.deserialize(1, split.toByteArray())).isEqualTo(expected);

        ByteArrayOutputStream state = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(state);
        out.writeInt(5);
        out.writeInt(2);
        writeVersion1(BEGUN, out);
        writeVersion1(BEGUN, out);
        assertThat(states.deserialize(1, state.toByteArray()))
                .isEqualTo(new PartitionEnumeratorState(5, List.of(expected, expected)));
    }

    @Test
    void ofANewerReleaseIsRefused() throws IOException {
        byte[] bytes = splits.serialize(BEGUN);
        assertThatThrownBy(() -> splits.deserialize(3, bytes)).hasMessageContaining("version 3");
        byte[] state = states.serialize(PartitionEnumeratorState.nothingKnown());
        assertThatThrownBy(() -> states.deserialize(3, state)).hasMessageContaining("version 3");
    }

    /** One with a start and a stop. */
    private static void writeVersion1(PartitionSplit split, DataOutputStream out) throws IOException {
        out.writeUTF(split.topic());
        out.writeInt(split.partition());
        for (Position position : List.of(split.start(), split.stop())) {
            out.writeBoolean(true);
            out.writeLong(position.major());
            out.writeLong(position.minor());
        }
    }
}
