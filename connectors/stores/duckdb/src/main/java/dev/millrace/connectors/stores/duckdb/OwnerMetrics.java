package dev.millrace.connectors.stores.duckdb;

import dev.millrace.connectors.api.store.StoreTable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What the owner counts and times, as Prometheus text. Thread-safe. */
final class OwnerMetrics {
    private static final Duration[] BUCKETS = Stream.of(
                    5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000,
                    300_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<StoreTable, Counter> rows = new EnumMap<>(StoreTable.class);
    private final Map<StoreTable, Counter> blocks = new EnumMap<>(StoreTable.class);
    private final Counter repeated = Counter.builder("millrace.store.blocks.repeated")
            .description("Blocks refused because their token was taken before")
            .register(registry);
    private final Counter refused = Counter.builder("millrace.store.blocks.refused")
            .description("Blocks whose rows can never be stored")
            .register(registry);
    private final Counter unavailable = Counter.builder("millrace.store.blocks.unavailable")
            .description("Blocks answered with 503, to be sent again")
            .register(registry);
    private final Timer insert = Timer.builder("millrace.store.insert")
            .description("From a block's arrival to its commit")
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
    private final Timer endToEnd = Timer.builder("millrace.store.end.to.end")
            .description("Per window, from the latest intended send time to the commit")
            .serviceLevelObjectives(BUCKETS)
            .register(registry);

    OwnerMetrics(Database database) {
        for (StoreTable table : StoreTable.values()) {
            rows.put(
                    table,
                    Counter.builder("millrace.store.rows")
                            .tag("table", table.sqlName())
                            .register(registry));
            blocks.put(
                    table,
                    Counter.builder("millrace.store.blocks")
                            .tag("table", table.sqlName())
                            .register(registry));
        }
        Gauge.builder("millrace.store.file.bytes", database, Database::fileBytes)
                .description("The database file and its log")
                .register(registry);
        Gauge.builder("millrace.store.last.window.end.seconds", database, store -> {
                    long end = store.lastWindowEnd();
                    return end == Long.MIN_VALUE ? Double.NaN : end / 1000.0;
                })
                .description("Greatest window end there is, epoch seconds")
                .register(registry);
    }

    void inserted(StoreTable table, Database.Insert inserted, long startNanos) {
        insert.record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS);
        if (inserted.outcome() == Database.Outcome.REPEATED) {
            repeated.increment();
            return;
        }
        blocks.get(table).increment();
        rows.get(table).increment(inserted.appended().rows());
        long nowMicros = System.currentTimeMillis() * 1000;
        for (long sendTimeMicros : inserted.appended().latestIntendedSendTimesMicros()) {
            endToEnd.record(Math.max(0, nowMicros - sendTimeMicros), TimeUnit.MICROSECONDS);
        }
    }

    void refused() {
        refused.increment();
    }

    void unavailable() {
        unavailable.increment();
    }

    String scrape() {
        return registry.scrape();
    }
}
