package dev.millrace.connectors.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.NettyShuffleEnvironmentOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The buffers between two subtasks")
class TaskBuffersTest {

    /** Flink takes a name that it does not know for somebody else's. */
    @Test
    @SuppressWarnings("deprecation") // Flink 1.20 means to do without them one day, and reads them
    @DisplayName("hold 8 MiB, by the names that Flink has for them")
    void areFlinks() {
        Configuration configuration = Configuration.fromMap(TaskBuffers.SETTINGS);
        MemorySize buffer = configuration.get(TaskManagerOptions.MEMORY_SEGMENT_SIZE);
        MemorySize all = MemorySize.ofMebiBytes(8);
        assertThat(buffer.multiply(configuration.get(NettyShuffleEnvironmentOptions.NETWORK_EXTRA_BUFFERS_PER_GATE)))
                .isEqualTo(all);
        assertThat(buffer.multiply(configuration.get(NettyShuffleEnvironmentOptions.NETWORK_MAX_BUFFERS_PER_CHANNEL)))
                .isEqualTo(all);
        assertThat(configuration.keySet()).hasSize(2);
    }
}
