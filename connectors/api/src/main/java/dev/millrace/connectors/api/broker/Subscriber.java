package dev.millrace.connectors.api.broker;

import dev.millrace.core.reading.PayloadChunk;
import java.time.Duration;
import java.util.List;

/** Reads a topic outside Flink: for read-back, checks and people. Used by one thread. */
public interface Subscriber extends AutoCloseable {

    /** The next chunks, at most one of each partition; an empty list when none came within {@code timeout}. */
    List<PayloadChunk> poll(Duration timeout);

    @Override
    void close();
}
