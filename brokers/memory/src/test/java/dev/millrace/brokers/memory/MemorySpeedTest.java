package dev.millrace.brokers.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.connectors.testkit.baseline.StoredReceipts;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the floor is low enough: a slow memory broker would be measured instead of the job. */
@Tag("server")
class MemorySpeedTest {
    private static final int READINGS = 1_500_000;
    private static final int WARM_UP_READINGS = 400_000;
    private static final int PAYLOAD_BYTES = 300;

    /** Far below what a quiet machine does, so that only a round trip for each reading fails it. */
    private static final double READINGS_PER_SECOND_MIN = 20_000;

    @Test
    @DisplayName("readings move in batches, not one by one")
    void batches(@TempDir Path directory) {
        Options options = Options.of(Map.of("memory", "1GiB"));
        try (LocalBroker local = new MemoryBroker().startLocal(directory, options);
                BrokerClient client = new MemoryBroker().connect(local.options())) {
            client.createTopic(new TopicSpec("warm", 4, 1, 64 << 20, Duration.ofHours(1)));
            publish(client, "warm", WARM_UP_READINGS);
            client.deleteTopic("warm");
            client.createTopic(new TopicSpec("speed", 4, 1, 600L << 20, Duration.ofHours(1)));
            report("published", () -> publish(client, "speed", READINGS), local.pid());
            report("read", () -> read(client), local.pid());
        }
    }

    private static void publish(BrokerClient client, String topic, int readings) {
        AtomicInteger stored = new AtomicInteger();
        Publisher.Receipt receipt = new StoredReceipts(position -> stored.incrementAndGet());
        byte[][] keys = new byte[1_000][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = ("device-" + i).getBytes();
        }
        byte[] value = new byte[PAYLOAD_BYTES];
        try (Publisher publisher = client.publisher(topic, "speed")) {
            for (int i = 0; i < readings; i++) {
                ByteBuffer.wrap(value).putInt(i);
                while (!publisher.offer(keys[i % keys.length], value, i, receipt)) {
                    LockSupport.parkNanos(100_000);
                }
            }
            assertThat(publisher.flush(Duration.ofSeconds(60))).isTrue();
        }
        assertThat(stored.get()).isEqualTo(readings);
    }

    private static void read(BrokerClient client) {
        int read = 0;
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        try (Subscriber subscriber = client.subscriber("speed", new StartFrom.Earliest())) {
            while (read < READINGS && System.nanoTime() < deadline) {
                for (PayloadChunk chunk : subscriber.poll(Duration.ofSeconds(1))) {
                    read += chunk.count();
                }
            }
        }
        assertThat(read).isEqualTo(READINGS);
    }

    private static void report(String what, Runnable work, long serverPid) {
        long cpuBefore = cpuNanos(ProcessHandle.current().pid());
        long serverBefore = cpuNanos(serverPid);
        long begin = System.nanoTime();
        work.run();
        double readingsPerSecond = READINGS / ((System.nanoTime() - begin) / 1e9);
        System.out.printf(
                "%s %,.0f readings of %d bytes/s; CPU per reading: client %d ns, server %d ns%n",
                what,
                readingsPerSecond,
                PAYLOAD_BYTES,
                (cpuNanos(ProcessHandle.current().pid()) - cpuBefore) / READINGS,
                (cpuNanos(serverPid) - serverBefore) / READINGS);
        assertThat(readingsPerSecond).as(what).isGreaterThan(READINGS_PER_SECOND_MIN);
    }

    private static long cpuNanos(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .map(Duration::toNanos)
                .orElse(0L);
    }
}
