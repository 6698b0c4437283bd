package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.FrameReader;
import dev.millrace.brokers.memory.log.FrameWriter;
import dev.millrace.brokers.memory.log.Wire;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are answered at once: all can be sent again, so a lost connection is made anew within the bound. Thread-safe;
 * {@link #close} ends a request that is under way.
 */
final class Control implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(28);
    private static final long RETRY_NANOS = 100_000_000;

    private final String address;
    private final ReentrantLock asking = new ReentrantLock();
    private final FrameWriter frame = new FrameWriter();
    private volatile @Nullable Connection connection;
    private volatile boolean closed;

    Control(String address) {
        this.address = address;
    }

    TopicDescription describe(String topic) {
        return ask(Wire.DESCRIBE, f -> f.text(topic), TopicDescription::read);
    }

    /** Describes a topic that must be there. */
    TopicDescription existing(String topic) {
        TopicDescription description = describe(topic);
        if (description.partitions() == 0) {
            throw new UserException("there is no topic '" + topic + "' at " + address);
        }
        return description;
    }

    <T> T ask(byte request, Consumer<FrameWriter> content, Function<ByteBuffer, T> reading) {
        return ask(request, content, reading, BOUND);
    }

    <T> T ask(byte request, Consumer<FrameWriter> content, Function<ByteBuffer, T> reading, Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        // Who waits for the questions of others waits no longer than for an answer.
        if (!isNext(bound)) {
            throw silent(null);
        }
        try {
            return askUntil(deadline, request, content, reading);
        } finally {
            asking.unlock();
        }
    }

    private boolean isNext(Duration bound) {
        try {
            return asking.tryLock(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private <T> T askUntil(
            long deadline, byte request, Consumer<FrameWriter> content, Function<ByteBuffer, T> reading) {
        IOException failure = null;
        while (System.nanoTime() < deadline && !closed) {
            try {
                Connection open = connection;
                if (open == null) {
                    open = new Connection(address);
                    connection = open;
                }
                content.accept(frame.begin(request));
                open.send(frame);
                ByteBuffer answer = open.answer((deadline - System.nanoTime()) / 1_000_000);
                if (answer == null) {
                    throw new IOException("no answer");
                }
                return unwrap(answer, reading);
            } catch (IOException e) {
                failure = e;
                disconnect();
                LockSupport.parkNanos(RETRY_NANOS);
                if (Thread.currentThread().isInterrupted()) {
                    break;
                }
            }
        }
        throw silent(failure);
    }

    private EnvironmentException silent(@Nullable IOException failure) {
        return new EnvironmentException(
                "no memory broker answers at " + address + (failure == null ? "" : ": " + failure.getMessage())
                        + "; is it running?",
                failure);
    }

    private static <T> T unwrap(ByteBuffer answer, Function<ByteBuffer, T> reading) {
        if (answer.get() != Wire.OK) {
            throw new UserException(FrameReader.text(answer));
        }
        return reading.apply(answer);
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
}
