package dev.millrace.connectors.job;

import java.util.Map;

/**
 * The buffers in which rows wait between two subtasks; settings of a TaskManager, which no job can bring along. At a checkpoint, and when a
 * window ends, a source hands on all rows that it has merged at once, and for a part of each second the subtask behind it inserts into the
 * store instead of reading. With Flink's own 8 and 10 the source then stands still, and with it the processor.
 */
public final class TaskBuffers {
    /** Flink's {@code taskmanager.memory.segment-size}. */
    private static final long BUFFER_BYTES = 32 << 10;
    /** 8 MiB; a barrier waits behind as much when the store is slow. */
    private static final long MOST = 256;

    private static final long FLINKS_FLOATING = 8;
    private static final long FLINKS_OF_CHANNEL = 10;

    /** Of a slot: the shuffle, and the two ways of dead letters to their store, each with a side that sends and one that receives. */
    private static final long POOLS = 6;
    /** Buffers that each of a slot's channels has for good; the shuffle has one for each subtask on each side. */
    private static final long OF_CHANNEL = 2;

    private TaskBuffers() {}

    /**
     * As many as the memory has for every pool at once, and not fewer than Flink's own. With more, Flink would deal out the memory by what each pool
     * may have, and the pools of dead letters, which are empty, would take it from those of the shuffle.
     *
     * @param networkBytes of the TaskManager, for all its slots
     * @param slots each with a subtask that speaks with as many
     */
    public static Map<String, String> settings(long networkBytes, int slots) {
        long ofChannels = 2 * OF_CHANNEL * slots + (POOLS - 2) * OF_CHANNEL;
        long spare = (networkBytes / BUFFER_BYTES / slots - ofChannels) / POOLS;
        long floating = Math.max(FLINKS_FLOATING, Math.min(MOST, spare));
        return Map.of(
                "taskmanager.network.memory.floating-buffers-per-gate",
                Long.toString(floating),
                "taskmanager.network.memory.max-buffers-per-channel",
                Long.toString(Math.max(FLINKS_OF_CHANNEL, floating)));
    }
}
