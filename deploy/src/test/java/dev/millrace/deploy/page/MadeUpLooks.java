package dev.millrace.deploy.page;

import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.look.AuditNote;
import dev.millrace.deploy.look.BenchmarkNote;
import dev.millrace.deploy.look.SendQuantiles;
import dev.millrace.deploy.look.StackStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks at a stack that nobody started: each is two seconds after the one before. */
final class MadeUpLooks implements Supplier<StackStatus>, InstantSource {
    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final long SECONDS = 2;
    private static final long RATE = 20_000;

    final AtomicInteger made = new AtomicInteger();
    volatile String message = "";
    volatile boolean paced = true;
    volatile @Nullable AuditNote audit;
    volatile @Nullable BenchmarkNote benchmark;
    /** Fails that often. */
    final AtomicInteger failures = new AtomicInteger();

    @Override
    public Instant instant() {
        return START.plusSeconds(SECONDS * made.get());
    }

    @Override
    public StackStatus get() {
        int look = made.incrementAndGet();
        if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new EnvironmentException("the disk is full");
        }
        long sent = RATE * SECONDS * look;
        long lag = Math.round(900 + 700 * Math.sin(look / 6.0) + (look % 40 > 30 ? 6_000 : 0));
        Map<String, Double> cores = new LinkedHashMap<>();
        Map<String, Long> pids = new LinkedHashMap<>();
        Map<String, String> urls = new LinkedHashMap<>();
        int number = 0;
        for (String process :
                new String[] {"broker", "store", "jobmanager", "taskmanager", "generator", "supervisor"}) {
            number++;
            cores.put(process, Math.round(100 * number * (1 + 0.2 * Math.sin(look / 5.0 + number))) / 500.0);
            pids.put(process, 41_000L + number);
            urls.put(process, number == 1 ? "127.0.0.1:9092" : "http://127.0.0.1:809" + number);
            urls.put(process + "-metrics", "http://127.0.0.1:909" + number + "/metrics");
        }
        return new StackStatus(
                "river",
                new EffectiveSettings("4.2.0", 1, "each", EffectiveSettings.Sync.LATER, "never", Map.of()),
                "3f".repeat(32),
                message.isEmpty() ? "running" : "recovering",
                message,
                sent,
                sent - lag,
                1_000L * (look / 5),
                0L,
                lag,
                RATE + 150 * Math.sin(look / 3.0),
                paced,
                paced ? new SendQuantiles(1.25, 7.5) : null,
                instant().minusSeconds(5 + look % 5 * SECONDS),
                2,
                4,
                0.03,
                31L,
                audit,
                benchmark,
                false,
                cores,
                urls,
                pids);
    }
}
