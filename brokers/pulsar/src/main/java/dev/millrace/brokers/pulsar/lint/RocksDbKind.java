package dev.millrace.brokers.pulsar.lint;

import dev.millrace.brokers.pulsar.LocalPulsarFiles;
import dev.millrace.connectors.api.lint.Advice;
import dev.millrace.connectors.api.lint.KnownSetting;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.PropertiesText;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of the RocksDB in which a bookie finds its entries: the names that it takes in such a file, and what the shipped
 * file has. Which section a key is in is not checked.
 */
public final class RocksDbKind implements SettingsKind {
    static final String FILE = "entry_location_rocksdb.conf";

    /**
     * One name a line. RocksDB has them in its native code, which is not loaded for this; a test holds the resource against what
     * that code writes and takes.
     */
    static final String NAMES = "rocksdb.names";

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
        Map<String, KnownSetting> settings = new TreeMap<>();
        names().forEach(name -> settings.put(name, KnownSetting.named()));
        parse(FILE, distribution.shippedText(FILE))
                .forEach(line -> settings.put(line.key(), KnownSetting.named().orDefault(line.value())));
        return new KnownSettings(
                "RocksDB " + distribution.version("org.rocksdb-rocksdbjni"),
                settings,
                List.of(),
                Advice.of(RocksDbKind.class, "rocksdb.advice"));
    }

    static List<String> names() {
        try (InputStream in = RocksDbKind.class.getResourceAsStream(NAMES)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
