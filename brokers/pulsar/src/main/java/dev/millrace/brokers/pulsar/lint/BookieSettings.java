package dev.millrace.brokers.pulsar.lint;

import dev.millrace.connectors.api.lint.KnownSetting;
import dev.millrace.connectors.api.lint.ServerClasses;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The bookie's settings: the constants in which its classes hold their names. They have no types, and their defaults are in the
 * code; as default counts what the shipped file says.
 */
final class BookieSettings {
    /** Beneath {@code org.apache.bookkeeper}: those that read settings of the bookie's file. */
    private static final List<String> READERS = List.of(
            "conf.AbstractConfiguration",
            "conf.ServerConfiguration",
            // A bookie copies ledgers of lost bookies as a client.
            "conf.ClientConfiguration",
            "client.RackawareEnsemblePlacementPolicyImpl",
            "client.TopologyAwareEnsemblePlacementPolicy",
            "bookie.storage.ldb.DbLedgerStorage",
            "bookie.storage.ldb.KeyValueStorageRocksDB",
            "http.HttpServerLoader",
            "stats.prometheus.PrometheusMetricsProvider");

    /** Names of settings, not numbers, addresses or names of metrics. */
    private static final Pattern KEY = Pattern.compile("[a-z][A-Za-z0-9_]*[A-Z_][A-Za-z0-9_]*");

    private BookieSettings() {}

    static Map<String, KnownSetting> of(Distribution distribution) {
        Map<String, KnownSetting> settings = ServerClasses.read(distribution.jars(), loader -> {
            Map<String, KnownSetting> names = new TreeMap<>();
            for (String reader : READERS) {
                for (Field field :
                        loader.loadClass("org.apache.bookkeeper." + reader).getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
                        field.setAccessible(true);
                        String name = String.valueOf(field.get(null));
                        if (KEY.matcher(name).matches()) {
                            names.put(name, KnownSetting.named());
                        }
                    }
                }
            }
            return names;
        });
        distribution
                .shipped(BookieKind.FILE)
                .forEach((key, value) -> settings.computeIfPresent(key, (name, known) -> known.orDefault(value)));
        return settings;
    }
}
