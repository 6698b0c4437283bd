package dev.millrace.brokers.pulsar.lint;

import dev.millrace.connectors.api.lint.KnownSetting;
import dev.millrace.connectors.api.lint.ServerClasses;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The bookie's settings: the constants in which its classes hold their names. They have no types, and their defaults are in the
 * code; as default counts what the shipped file says.
 */
final class BookieSettings {
    /** Those that read settings of the bookie's file. */
    private static final List<String> READERS = Stream.of(
                    "conf.AbstractConfiguration",
                    "conf.ServerConfiguration",
                    // A bookie copies ledgers of lost bookies as a client.
                    "conf.ClientConfiguration",
                    "client.RackawareEnsemblePlacementPolicyImpl",
                    "client.RegionAwareEnsemblePlacementPolicy",
                    "client.TopologyAwareEnsemblePlacementPolicy",
                    "bookie.storage.ldb.DbLedgerStorage",
                    "bookie.storage.ldb.KeyValueStorageRocksDB",
                    "http.HttpServerLoader",
                    "net.CommonConfigurationKeys",
                    "sasl.SaslConstants",
                    "stats.prometheus.PrometheusMetricsProvider")
            .map(name -> "org.apache.bookkeeper." + name)
            .toList();

    private BookieSettings() {}

    static Map<String, KnownSetting> of(Distribution distribution) {
        Map<String, KnownSetting> settings = ServerClasses.read(distribution.jars(), loader -> {
            Map<String, KnownSetting> names = new TreeMap<>();
            SettingNames.constants(loader, READERS).forEach(name -> names.put(name, KnownSetting.named()));
            return names;
        });
        distribution
                .shipped(BookieKind.FILE)
                .forEach((key, value) -> settings.computeIfPresent(key, (name, known) -> known.orDefault(value)));
        return settings;
    }
}
