package dev.millrace.connectors.api.broker;

import dev.millrace.core.reading.Position;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * A sink on a broker's own publisher, at least once: a checkpoint waits until everything before it is stored, and where there is a
 * limit, a record that takes longer fails the task.
 */
public final class PublisherSink<T> implements Sink<T> {
    private final Connector connector;
    private final SinkSpec<T> spec;

    /** Connects where the sink runs. */
    public interface Connector extends Supplier<BrokerClient>, Serializable {}

    public PublisherSink(Connector connector, SinkSpec<T> spec) {
        this.connector = connector;
        this.spec = spec;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract in Flink 1.20, called by none of its own code
    public SinkWriter<T> createWriter(InitContext context) {
        return new Writer<>(connector, spec);
    }

    @Override
    public SinkWriter<T> createWriter(WriterInitContext context) {
        return new Writer<>(connector, spec);
    }

    private static final class Writer<T> implements SinkWriter<T> {
        private static final Duration FLUSH_STEP = Duration.ofMillis(500);
        private static final long FULL_NANOS = 500_000;

        private final SinkSpec<T> spec;
        private final long limitNanos;
        private final BrokerClient client;
        private final Publisher publisher;
        private final AtomicReference<String> refusal = new AtomicReference<>();

        private Writer(Connector connector, SinkSpec<T> spec) {
            this.spec = spec;
            this.limitNanos = spec.sendLimit().isZero()
                    ? Long.MAX_VALUE
                    : spec.sendLimit().toNanos();
            this.client = connector.get();
            try {
                // A name of its own: the writer before a restart may still be connected, and nothing is deduplicated
                // between the two.
                this.publisher = client.publisher(spec.topic(), "sink-" + UUID.randomUUID());
            } catch (RuntimeException e) {
                client.close();
                throw e;
            }
        }

        @Override
        public void write(T element, Context context) throws IOException, InterruptedException {
            byte[] key = spec.encoder().key(element);
            byte[] value = spec.encoder().value(element);
            long timestamp = spec.encoder().timestamp(element);
            long begin = System.nanoTime();
            while (!publisher.offer(key, value, timestamp, new Answer())) {
                // Back pressure: the task waits as long as the broker does not take more; cancelling interrupts it.
                expireAfter(begin);
                check();
                LockSupport.parkNanos(FULL_NANOS);
            }
            check();
        }

        @Override
        public void flush(boolean endOfInput) throws IOException, InterruptedException {
            long begin = System.nanoTime();
            while (!publisher.flush(FLUSH_STEP)) {
                expireAfter(begin);
                check();
            }
            check();
        }

        /** What fills the buffer, or is waited for, was handed over before {@code begin}: an answer to it may never come. */
        private void expireAfter(long begin) {
            if (System.nanoTime() - begin > limitNanos) {
                expire();
            }
        }

        private void expire() {
            refusal.compareAndSet(
                    null,
                    "a send was not acknowledged within its limit of "
                            + spec.sendLimit().toMillis() + " ms");
        }

        private void check() throws IOException, InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException("the sink to topic '" + spec.topic() + "' was cancelled");
            }
            String sentence = refusal.get();
            if (sentence != null) {
                throw new IOException("topic '" + spec.topic() + "' does not take a result: " + sentence);
            }
        }

        @Override
        public void close() {
            publisher.close();
            client.close();
        }

        /** Of one send. */
        private final class Answer implements Publisher.Receipt {
            private final long sentNanos = System.nanoTime();

            @Override
            public void stored(int partition, Position position) {
                if (System.nanoTime() - sentNanos > limitNanos) {
                    expire();
                }
            }

            @Override
            public void refused(String sentence) {
                refusal.compareAndSet(null, sentence);
            }

            @Override
            public void unknown(String sentence) {
                refusal.compareAndSet(null, sentence);
            }
        }
    }
}
