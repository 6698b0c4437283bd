package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.Position;
import java.util.Map;

/** Tells the broker how far a reader group has come. Called on a thread of its own, never on the task's. */
public interface PositionCommitter extends AutoCloseable {

    /**
     * Reports positions of a completed checkpoint. May block; what fails is logged and made good by the next checkpoint.
     *
     * @param lastRead by split id, the position of the last record that the checkpoint covers
     */
    void commit(Map<String, Position> lastRead) throws Exception;

    /** Frees what it holds; called on another thread than {@link #commit}, which it must end. */
    @Override
    void close();
}
