package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.FrameReader;
import dev.millrace.brokers.memory.log.FrameWriter;
import dev.millrace.brokers.memory.log.Wire;
import dev.millrace.connectors.api.reader.ChunkPool;
import dev.millrace.core.reading.ChunkArrays;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Fetches chunks of some partitions of a topic. A silent server is waited for with the same request; a lost connection is made
 * anew. Used by one thread, except {@link #close}.
 */
final class Fetcher implements AutoCloseable {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int SERVER_WAITS_MILLIS = 100;
    private static final int MARGIN_MILLIS = 50;
    private static final long RECONNECT_NANOS = 50_000_000;

    private final String address;
    private final String topic;
    private final ChunkPool pool;
    private final FrameWriter frame = new FrameWriter();
    private volatile @Nullable Connection connection;
    private volatile boolean closed;
    private boolean asked;

    /** @param pool where the chunks' arrays come from */
    Fetcher(String address, String topic, ChunkPool pool) {
        this.pool = pool;
        this.address = address;
        this.topic = topic;
    }

    /**
     * What came, at the latest after 150 ms; an empty list when the server did not answer by then. Fails when the server says that
     * a position is gone or the topic is.
     *
     * @param cursors what is wanted; an answer to an earlier call may be of other partitions
     */
    List<Fetched> fetch(List<Cursor> cursors) {
        try {
            Connection open = connection;
            if (open == null) {
                open = new Connection(address);
                connection = open;
                asked = false;
            }
            if (!asked) {
                ask(open, cursors);
                asked = true;
            }
            ByteBuffer answer = open.answer(SERVER_WAITS_MILLIS + MARGIN_MILLIS);
            if (answer == null) {
                return List.of();
            }
            asked = false;
            return read(answer);
        } catch (IOException e) {
            disconnect();
            if (!closed) {
                LockSupport.parkNanos(RECONNECT_NANOS);
            }
            return List.of();
        }
    }

    private void ask(Connection open, List<Cursor> cursors) throws IOException {
        frame.begin(Wire.FETCH).text(topic).number(CHUNK_BYTES).number(SERVER_WAITS_MILLIS);
        frame.number(cursors.size());
        for (Cursor cursor : cursors) {
            frame.number(cursor.partition())
                    .number(cursor.incarnation())
                    .number(cursor.offset())
                    .number(cursor.stop());
        }
        open.send(frame);
    }

    private List<Fetched> read(ByteBuffer answer) {
        byte status = answer.get();
        if (status == Wire.GONE) {
            throw new EnvironmentException(FrameReader.text(answer));
        }
        if (status != Wire.OK) {
            throw new UserException(FrameReader.text(answer));
        }
        long incarnation = answer.getLong();
        int count = answer.getInt();
        List<Fetched> fetched = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            fetched.add(one(answer, incarnation));
        }
        return fetched;
    }

    private Fetched one(ByteBuffer answer, long incarnation) {
        int partition = answer.getInt();
        long offset = answer.getLong();
        long endOffset = answer.getLong();
        int records = answer.getInt();
        int bytes = answer.getInt();
        if (records == 0) {
            // Nothing of the pool's: such a chunk is not handed on, so it would not come back.
            return new Fetched(
                    new PayloadChunk(partition, 0, ChunkArrays.NONE, incarnation, offset >= endOffset),
                    incarnation,
                    offset,
                    endOffset);
        }
        ChunkArrays arrays = pool.take(bytes, records);
        answer.asIntBuffer().get(arrays.ends(), 0, records);
        answer.position(answer.position() + records * 4);
        answer.asLongBuffer().get(arrays.brokerTimestamps(), 0, records);
        answer.position(answer.position() + records * 8);
        answer.get(arrays.bytes(), 0, bytes);
        for (int i = 0; i < records; i++) {
            arrays.starts()[i] = i == 0 ? 0 : arrays.ends()[i - 1];
            arrays.positionMinors()[i] = offset + i;
        }
        boolean atEnd = offset + records >= endOffset;
        PayloadChunk chunk =
                new PayloadChunk(partition, records, arrays, incarnation, atEnd, PayloadChunk.NOT_COUNTED, pool::give);
        return new Fetched(chunk, incarnation, offset + records, endOffset);
    }

    private void disconnect() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        disconnect();
    }

    /**
     * Where to read in a partition.
     *
     * @param offset {@link Wire#OLDEST} or the next offset of {@code incarnation}
     * @param stop before which offset to stop
     */
    record Cursor(int partition, long incarnation, long offset, long stop) {}

    /** A chunk, possibly empty, and what stands behind it. */
    record Fetched(PayloadChunk chunk, long incarnation, long nextOffset, long endOffset) {}
}
