package dev.millrace.perf.fanout;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.core.reading.DecodedReading;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Copies every reading of a topic into several others, under its device as the key, as the generator does. */
final class CopyTask extends Task {
    private static final long FULL_NANOS = 500_000;
    private static final long COMMIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration FLUSH_BOUND = Duration.ofSeconds(20);

    private final BrokerClient client;
    private final String topic;
    private final String group;
    private final Map<Integer, Position> from;
    private final List<String> copies;
    private final Intake intake;
    private final AtomicLong stored = new AtomicLong();
    private final AtomicReference<String> lost = new AtomicReference<>();

    /** @param copies the topics to write to; they are there */
    CopyTask(BrokerClient client, String topic, String group, Map<Integer, Position> from, List<String> copies) {
        super(group);
        this.client = client;
        this.topic = topic;
        this.group = group;
        this.from = Map.copyOf(from);
        this.copies = List.copyOf(copies);
        this.intake = new Intake(topic, from);
    }

    @Override
    void read() {
        List<Publisher> publishers = new ArrayList<>();
        try (GroupReader reader = client.groupReader(topic, group, new StartFrom.At(from))) {
            copies.forEach(copy -> publishers.add(client.publisher(copy, group)));
            copy(reader, publishers);
        } finally {
            publishers.forEach(Publisher::close);
        }
    }

    private void copy(GroupReader reader, List<Publisher> publishers) {
        long commitNanos = System.nanoTime() + COMMIT_NANOS;
        while (!isStopping() && !intake.isAtEnd()) {
            List<PayloadChunk> chunks = reader.poll();
            if (!chunks.isEmpty()) {
                begun();
            }
            for (PayloadChunk chunk : chunks) {
                for (int i = 0; i < chunk.count(); i++) {
                    copy(chunk, i, publishers);
                }
            }
            intake.taken(chunks);
            if (System.nanoTime() >= commitNanos) {
                // What is not stored yet must not be confirmed: whoever copies on after a crash begins behind it.
                flush(publishers);
                reader.commitLater(intake.last());
                commitNanos = System.nanoTime() + COMMIT_NANOS;
            }
            intake.note();
        }
        flush(publishers);
        intake.note();
    }

    private void copy(PayloadChunk chunk, int i, List<Publisher> publishers) {
        DecodedReading reading = intake.take(chunk, i);
        byte[] key = Arrays.copyOfRange(
                reading.deviceBytes(), reading.deviceStart(), reading.deviceStart() + reading.deviceLength());
        byte[] payload = chunk.payload(i);
        for (Publisher publisher : publishers) {
            while (!publisher.offer(key, payload, reading.eventTime(), new Stored())) {
                if (isStopping()) {
                    throw new EnvironmentException(
                            "a copy of topic '" + topic + "' was not taken by the broker in time");
                }
                LockSupport.parkNanos(FULL_NANOS);
            }
        }
    }

    private final class Stored implements Publisher.Receipt {
        @Override
        public void stored(int partition, Position position) {
            stored.incrementAndGet();
        }

        @Override
        public void refused(String sentence) {
            lost.compareAndSet(null, sentence);
        }

        @Override
        public void unknown(String sentence) {
            lost.compareAndSet(null, sentence);
        }
    }

    private void flush(List<Publisher> publishers) {
        for (Publisher publisher : publishers) {
            if (!publisher.flush(FLUSH_BOUND)) {
                throw new EnvironmentException(
                        "copies of topic '" + topic + "' were not stored within " + FLUSH_BOUND.toSeconds() + " s");
            }
        }
        String sentence = lost.get();
        if (sentence != null) {
            throw new EnvironmentException("a copy of topic '" + topic + "' was not stored: " + sentence);
        }
    }

    @Override
    void until(Map<Integer, Position> ends) {
        intake.until(ends);
    }

    @Override
    Map<String, String> look() {
        Map<String, String> look = new TreeMap<>(intake.counts());
        look.put("stored", Long.toString(stored.get()));
        return look;
    }
}
