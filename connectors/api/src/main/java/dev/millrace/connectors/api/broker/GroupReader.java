package dev.millrace.connectors.api.broker;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.util.List;
import java.util.Map;

/**
 * Reads a whole topic outside Flink as a reader group, by the parts that the job's source is made of: the only reader of that group,
 * with positions that it reports itself. Used by one thread. Methods throw EnvironmentException when the broker does not answer
 * within its bound.
 */
public interface GroupReader extends AutoCloseable {

    /**
     * The next chunks, those of one partition in order; empty chunks confirm a partition's end. Waits some tenths of a second at
     * most; an empty list when nothing came. The chunks are good until the next call.
     */
    List<PayloadChunk> poll();

    /**
     * Reports how far the group has come and waits until the broker has taken it: {@link BrokerClient#lag} counts from there. What
     * a broker does with it before it answers is its own: it need not be on a disk.
     *
     * @param lastRead by partition, the position of the last record of a chunk
     */
    void commit(Map<Integer, Position> lastRead);

    /**
     * As {@link #commit}, on a thread of its own: waits for nothing. What was not yet reported is overtaken by what comes later; what
     * fails is logged, and made good by the next one.
     */
    void commitLater(Map<Integer, Position> lastRead);

    /** Reports what is pending if that is quick, and frees all threads within some seconds. */
    @Override
    void close();
}
