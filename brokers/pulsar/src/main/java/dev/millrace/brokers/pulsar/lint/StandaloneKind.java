package dev.millrace.brokers.pulsar.lint;

import dev.millrace.brokers.pulsar.LocalPulsarFiles;
import dev.millrace.connectors.api.lint.KnownSetting;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.SettingsKind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The file of a broker and a bookie in one process; where both have a key, the broker's say counts. What the shipped file says is
 * a default too: it differs from those of the two servers.
 */
public final class StandaloneKind implements SettingsKind {
    static final String FILE = "standalone.conf";

    @Override
    public String name() {
        return "pulsar-standalone";
    }

    @Override
    public List<String> fileNames() {
        return List.of(FILE);
    }

    @Override
    public KnownSettings known() {
        Map<String, String> shipped = new Distribution(LocalPulsarFiles.distribution()).shipped(FILE);
        KnownSettings broker = new BrokerKind().known();
        KnownSettings bookie = new BookieKind().known();
        Map<String, KnownSetting> settings = new TreeMap<>(bookie.settings());
        settings.putAll(broker.settings());
        shipped.forEach((key, value) -> settings.put(
                key, settings.getOrDefault(key, KnownSetting.named()).orDefault(value)));
        return new KnownSettings(
                broker.of() + " and " + bookie.of(),
                settings,
                concat(broker.openPrefixes(), bookie.openPrefixes()),
                concat(broker.advice(), bookie.advice()));
    }

    private static <T> List<T> concat(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
