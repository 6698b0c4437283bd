package dev.millrace.brokers.memory;

import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.core.reading.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Writes to a topic, at least once: a checkpoint waits until everything before it is stored. */
final class MemorySink<T> implements Sink<T> {
    private final MemoryOptions options;
    private final SinkSpec<T> spec;

    MemorySink(MemoryOptions options, SinkSpec<T> spec) {
        this.options = options;
        this.spec = spec;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract in Flink 1.20, called by none of its own code
    public SinkWriter<T> createWriter(InitContext context) {
        return new Writer<>(options, spec, "sink-" + context.getSubtaskId());
    }

    @Override
    public SinkWriter<T> createWriter(WriterInitContext context) {
        return new Writer<>(options, spec, "sink-" + context.getTaskInfo().getIndexOfThisSubtask());
    }

    private static final class Writer<T> implements SinkWriter<T>, Publisher.Receipt {
        private static final Duration FLUSH_STEP = Duration.ofMillis(500);
        private static final long FULL_NANOS = 500_000;

        private final SinkSpec<T> spec;
        private final MemoryClient client;
        private final Publisher publisher;
        private final AtomicReference<String> refusal = new AtomicReference<>();

        private Writer(MemoryOptions options, SinkSpec<T> spec, String name) {
            this.spec = spec;
            this.client = new MemoryClient(options);
            this.publisher = client.publisher(spec.topic(), name);
        }

        @Override
        public void write(T element, Context context) throws IOException, InterruptedException {
            byte[] key = spec.encoder().key(element);
            byte[] value = spec.encoder().value(element);
            long timestamp = spec.encoder().timestamp(element);
            while (!publisher.offer(key, value, timestamp, this)) {
                // Back pressure: the task waits as long as the broker does not take more; cancelling interrupts it.
                check();
                LockSupport.parkNanos(FULL_NANOS);
            }
        }

        @Override
        public void flush(boolean endOfInput) throws IOException, InterruptedException {
            while (!publisher.flush(FLUSH_STEP)) {
                check();
            }
            check();
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
        public void stored(int partition, Position position) {}

        @Override
        public void refused(String sentence) {
            refusal.compareAndSet(null, sentence);
        }

        @Override
        public void unknown(String sentence) {
            refusal.compareAndSet(null, sentence);
        }

        @Override
        public void close() {
            publisher.close();
            client.close();
        }
    }
}
