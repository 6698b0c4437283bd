package dev.millrace.connectors.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.NettyShuffleEnvironmentOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.io.network.buffer.BufferPool;
import org.apache.flink.runtime.io.network.buffer.NetworkBufferPool;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The buffers between two subtasks")
class TaskBuffersTest {
    private static final MemorySize NETWORK = MemorySize.ofMebiBytes(96);
    private static final int BUFFER_BYTES = 32 << 10;
    private static final int FLINKS_FLOATING = 8;
    /** Flink shares by rounding, in the order of a hash set: of the same pools one has a buffer more or less from run to run. */
    private static final int ROUNDING = 1;

    /** Flink takes a name that it does not know for somebody else's. */
    @Test
    @SuppressWarnings("deprecation") // Flink 1.20 means to do without them one day, and reads them
    @DisplayName("hold 8 MiB where there is room, by the names that Flink has for them")
    void areFlinks() {
        Configuration configuration = Configuration.fromMap(TaskBuffers.settings(NETWORK.getBytes(), 1));
        MemorySize buffer = configuration.get(TaskManagerOptions.MEMORY_SEGMENT_SIZE);
        MemorySize all = MemorySize.ofMebiBytes(8);
        assertThat(buffer.multiply(configuration.get(NettyShuffleEnvironmentOptions.NETWORK_EXTRA_BUFFERS_PER_GATE)))
                .isEqualTo(all);
        assertThat(buffer.multiply(configuration.get(NettyShuffleEnvironmentOptions.NETWORK_MAX_BUFFERS_PER_CHANNEL)))
                .isEqualTo(all);
        assertThat(configuration.keySet()).hasSize(2);
    }

    /** Pools as Flink makes them for a slot: those of dead letters must not take from the shuffle what it would have without the setting. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16, 20, 24, 32, 64})
    @DisplayName("are never fewer for the shuffle than without the setting")
    void areNotFewer(int slots) throws IOException {
        assertThat(shuffle(slots, floating(slots))).isGreaterThanOrEqualTo(shuffle(slots, FLINKS_FLOATING) - ROUNDING);
        if (slots <= 8) {
            assertThat(shuffle(slots, floating(slots))).isGreaterThan(2 * shuffle(slots, FLINKS_FLOATING));
        }
    }

    /** Enough for what each slot's channels must have. */
    private static long networkBytes(int slots) {
        return Math.max(NETWORK.getBytes(), NETWORK.getBytes() / 2 + 3L * BUFFER_BYTES * slots * slots);
    }

    private static int floating(int slots) {
        return Integer.parseInt(TaskBuffers.settings(networkBytes(slots), slots)
                .get("taskmanager.network.memory.floating-buffers-per-gate"));
    }

    /** The most buffers that a subtask's side of the shuffle may take. */
    private static int shuffle(int slots, int floating) throws IOException {
        NetworkBufferPool all = new NetworkBufferPool((int) (networkBytes(slots) / BUFFER_BYTES), BUFFER_BYTES);
        List<BufferPool> pools = new ArrayList<>();
        try {
            BufferPool shuffle = null;
            for (int slot = 0; slot < slots; slot++) {
                shuffle = all.createBufferPool(slots + 1, 2 * slots + floating);
                pools.add(shuffle);
                pools.add(all.createBufferPool(1, 2 * slots + floating));
                for (int letters = 0; letters < 4; letters++) {
                    pools.add(all.createBufferPool(1, 2 + floating));
                }
            }
            return shuffle.getNumBuffers();
        } finally {
            pools.forEach(BufferPool::lazyDestroy);
            all.destroy();
        }
    }
}
