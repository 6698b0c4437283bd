package dev.millrace.brokers.pulsar.lint;

import dev.millrace.brokers.pulsar.LocalPulsarFiles;
import dev.millrace.connectors.api.lint.Advice;
import dev.millrace.connectors.api.lint.KnownSetting;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.PropertiesText;
import dev.millrace.connectors.api.lint.ServerClasses;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of the RocksDB in which a bookie finds its entries: what its Java classes can set, in RocksDB's spelling, and what
 * the shipped file has. Which section a key is in is not checked.
 */
public final class RocksDbKind implements SettingsKind {
    static final String FILE = "entry_location_rocksdb.conf";

    private static final List<String> SETTERS = List.of("DBOptions", "ColumnFamilyOptions", "BlockBasedTableConfig");

    @Override
    public String name() {
        return "bookkeeper-rocksdb";
    }

    @Override
    public List<String> fileNames() {
        return List.of(FILE, "ledger_metadata_rocksdb.conf", "default_rocksdb.conf");
    }

    /** Lines of sections are left out. */
    @Override
    public List<SettingLine> parse(String fileName, String text) {
        return PropertiesText.parse(text).stream()
                .filter(line -> !line.key().startsWith("["))
                .toList();
    }

    @Override
    public KnownSettings known() {
        Distribution distribution = new Distribution(LocalPulsarFiles.distribution());
        Map<String, KnownSetting> settings = ServerClasses.read(distribution.jars(), loader -> {
            Map<String, KnownSetting> names = new TreeMap<>();
            for (String type : SETTERS) {
                // Not initialized: that would load RocksDB itself.
                for (Method method :
                        Class.forName("org.rocksdb." + type, false, loader).getMethods()) {
                    if (method.getName().matches("set[A-Z].*") && method.getParameterCount() == 1) {
                        names.put(key(method.getName().substring(3)), KnownSetting.named());
                    }
                }
            }
            return names;
        });
        parse(FILE, distribution.shippedText(FILE))
                .forEach(line -> settings.put(line.key(), KnownSetting.named().orDefault(line.value())));
        return new KnownSettings(
                "RocksDB " + distribution.version("org.rocksdb-rocksdbjni"),
                settings,
                List.of(),
                Advice.of(RocksDbKind.class, "rocksdb.advice"));
    }

    private static String key(String setter) {
        return setter.replaceAll("(?<!^)(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }
}
