package dev.millrace.connectors.job;

import java.util.Map;

/**
 * The buffers in which rows wait between two subtasks; settings of a TaskManager, which no job can bring along. At a checkpoint, and when a
 * window ends, a source hands on all rows that it has merged at once, and for a part of each second the subtask behind it inserts into the
 * store instead of reading. With Flink's own 8 and 10 the source then stands still, and with it the processor.
 */
public final class TaskBuffers {
    /**
     * 8 MiB on each side of a shuffle at most, of the memory that the TaskManager has for its network anyway; a barrier waits for as much when
     * the store is slow.
     */
    public static final Map<String, String> SETTINGS = Map.of(
            "taskmanager.network.memory.floating-buffers-per-gate", "256",
            "taskmanager.network.memory.max-buffers-per-channel", "256");

    private TaskBuffers() {}
}
