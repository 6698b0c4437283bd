package dev.millrace.deploy.local.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.ReadingEncoder;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OldestReadingsTest {
    private static final long SENT_MILLIS = 1_700_000_000_000L;
    private static final Duration BOUND = Duration.ofSeconds(5);

    @Test
    @DisplayName(
            "a partition that begins with a late reading has all from when that one was to be sent, not from before")
    void late() {
        assertThat(completeFrom(20_000)).isGreaterThan(SENT_MILLIS).isLessThanOrEqualTo(SENT_MILLIS + 1);
        assertThat(completeFrom(0)).isEqualTo(SENT_MILLIS + 5_000);
        assertThat(completeFrom(1_000)).isEqualTo(SENT_MILLIS + 4_000);
    }

    /** Of a topic of one partition that begins with a reading so far behind its send time. */
    private static long completeFrom(long behindMillis) {
        Reading reading = new Reading();
        new ReadingGenerator(
                        new GeneratorSettings(1, 1, 0, 300, 1, 0, 0, 5000), Schedule.constant(SENT_MILLIS * 1000, 500))
                .reading(0, reading);
        reading.eventTime = SENT_MILLIS - behindMillis;
        byte[] payload = new ReadingEncoder().encode(reading);
        PayloadChunk chunk = new PayloadChunk(
                0, 1, payload, new int[] {payload.length}, new long[] {SENT_MILLIS}, 0, new long[] {0}, true);
        Subscriber subscriber = fake(Subscriber.class, Map.of("poll", List.of(chunk)));
        BrokerClient client = fake(
                BrokerClient.class,
                Map.of("endPositions", Map.of(0, new Position(0, 1)), "partitions", 1, "subscriber", subscriber));
        return OldestReadings.completeFrom(client, "readings", BOUND);
    }

    /** Answers each method by its name. */
    private static <T> T fake(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answers.get(method.getName())));
    }
}
